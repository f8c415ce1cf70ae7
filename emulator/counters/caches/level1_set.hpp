// SPDX-License-Identifier: MIT
// A set of lines of the first-level cache, as an H200 has them (tests/model/sets.cu).
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

}  // namespace emu::observe
