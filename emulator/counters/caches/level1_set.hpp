// SPDX-License-Identifier: MIT
// A line of the first-level cache, and a set of them, as an H200 has them (tests/model/sets.cu).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace emu::observe {

// Which set of 512 a line is in. Lines on end are in different ones. Read off an H200 up to bit 23 of their numbers
// (tests/model/sets.cu); further bits go round.
inline std::uint64_t level1_set(std::uint64_t line) {
  constexpr std::uint64_t kOnEnd = 512;
  constexpr std::array<std::uint16_t, 15> kFlips{0x071, 0x01b, 0x176, 0x149, 0x039,
                                                 0x1e1, 0x1dd, 0x0ee, 0x194, 0x08d,
                                                 0x1ac, 0x0f4, 0x12f, 0x082, 0x0f0};
  constexpr std::size_t kBits = 9;  // at a time
  static constexpr auto kFlipped = [=] {
    std::array<std::uint16_t, 1u << kBits> flipped{};
    for (std::size_t bit = 0; bit < kBits; ++bit)
      for (std::size_t i = 0; i < flipped.size(); ++i)
        if (i >> bit & 1) flipped[i] ^= kFlips[bit];
    return flipped;
  }();
  std::uint64_t set = line % kOnEnd ^ kFlipped[line / kOnEnd % kOnEnd];
  std::size_t bit = kBits;
  for (std::uint64_t above = line / kOnEnd >> kBits; above; above >>= 1) {
    if (above & 1) set ^= kFlips[bit];
    bit = bit + 1 == kFlips.size() ? 0 : bit + 1;
  }
  return set;
}

// Who leaves a full set: the line that came first or was used again longest ago, but those of the last two hits in the set do
// not count yet. Such a line stands behind all others when two more hits have come. 766 sequences of 60 loads each, of five to
// ten lines of a set, found on an H200 exactly what they find here.
struct Level1Set {
  static constexpr std::uint8_t kWays = 4, kAll = (1u << kWays) - 1, kNoWay = kWays;
  std::uint32_t emptied = 0;
  std::uint8_t held = 0, waiting = 0;                // ways: a bit each; how many are in the queue
  std::array<std::uint8_t, kWays> queue{};           // who leaves first
  std::array<std::uint8_t, 2> hits{kNoWay, kNoWay};  // the last two, the older one first

  bool full() const { return held == kAll; }
  void push(std::uint8_t way) { queue[waiting++] = way; }
  // Returns the way that a new line gets; there must be one.
  std::uint8_t put() {
    const auto way = static_cast<std::uint8_t>(std::countr_one(held));
    held |= static_cast<std::uint8_t>(1u << way);
    push(way);
    return way;
  }
  void leave_queue(std::uint8_t way) {
    const auto end = std::remove(queue.begin(), queue.begin() + waiting, way);
    waiting = static_cast<std::uint8_t>(end - queue.begin());
  }
  void hit(std::uint8_t way) {
    leave_queue(way);
    const std::uint8_t oldest = hits[0];
    hits = {hits[1], way};
    if (oldest != kNoWay && oldest != hits[0] && oldest != hits[1]) push(oldest);
  }
  std::uint8_t first() const { return waiting ? queue[0] : hits[0] != kNoWay ? hits[0] : hits[1]; }
  void drop(std::uint8_t way) {
    leave_queue(way);
    for (std::uint8_t& hit : hits)
      if (hit == way) hit = kNoWay;
    held &= static_cast<std::uint8_t>(~(1u << way));
  }
};

// What is known of a line. No values to begin with: there are many of them, and most stay unused.
struct Level1Line {
  // The second: a store finds that the line is known, a load does not find them. The third: asked for in the round `brought`.
  std::uint8_t sectors, stored, coming;
  std::uint32_t written;  // words: those a load finds
  std::uint16_t by;       // the warp that stored last
  std::uint16_t brought_by;
  std::uint32_t brought;                 // in which round
  std::uint32_t stored_in, stored_with;  // the round and the instruction that stored last

  void bring(std::uint8_t missing, std::uint16_t for_whom, std::uint32_t round) {
    coming = static_cast<std::uint8_t>(missing |
                                       (brought == round && brought_by == for_whom ? coming : 0));
    brought = round;
    brought_by = for_whom;
  }
  // Whether a store comes while its warp waits for other sectors of the line. It misses, and what there was of the line goes: an
  // H200 shows it where a thread changes an array in place and asks for the next sector before (`wavelet` in tests/timing_set).
  bool stored_between(std::uint8_t wanted, std::uint16_t who, std::uint32_t round) {
    const bool waits = sectors && brought_by == who && brought + 1 == round && !(coming & wanted);
    if (waits) sectors = coming;
    return waits;
  }
};

}  // namespace emu::observe
