// SPDX-License-Identifier: MIT
// The first-level cache that Level1 plays its requests with.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "counters/caches/level1.hpp"

namespace emu::observe {

// Lines of four sectors in sets of 16; the one goes that was used longest ago. (On an H200 a warp that walks round 2048 lines
// finds hardly one of them again, where 1792 fit.)
class Level1::Cache {
 public:
  explicit Cache(std::uint64_t bytes)
      : sets_(std::max<std::uint64_t>(1, bytes / (kWays * kLineSectors * kSectorBytes))),
        numbers_(sets_ * kWays),
        used_(sets_ * kWays),
        lines_(std::make_unique_for_overwrite<Line[]>(sets_ * kWays)) {}
  // Returns which of the sectors were there. `by`: the warp that asks.
  std::uint8_t touch(const Touch& t, std::uint16_t by, const Missed& missed) {
    ++now_;
    const std::uint8_t there = look_up(t, by, missed);
    if (there != t.sectors || t.how == How::Store) ask(t.line / kLinesInSlice);
    return there;
  }
  std::uint8_t look_up(const Touch& t, std::uint16_t by, const Missed& missed) {
    if (t.how == How::Acquire) {
      empty_since_ = now_;
      return 0;
    }
    const std::uint64_t hash = t.line * kGolden >> (64 - kHashBits);
    std::uint32_t& last = last_at_[hash];
    if (numbers_[last] == t.line && holds(last)) return again(last, t, by, missed);
    const bool comes = t.how == How::Load || t.how == How::Store;
    if (!held_[hash] && !comes) return 0;
    const std::uint64_t set = set_of(t.line) * kWays;
    for (std::uint64_t at = set; held_[hash] && at < set + kWays; ++at) {
      if (numbers_[at] != t.line || !holds(at)) continue;
      last = static_cast<std::uint32_t>(at);
      return again(at, t, by, missed);
    }
    if (!comes) return 0;
    std::uint64_t at = set + kWays;
    while (at > set && holds(at - 1)) --at;
    at = at > set ? at - 1 : oldest(set);
    put(t.line, at);
    lines_[at] = {now_, 0, 0, by, 0, 0};
    last = static_cast<std::uint32_t>(at);
    return again(at, t, by, missed);
  }
  std::uint64_t slices() const { return asked_.count(); }
  // All warps have had a turn. And: one of them has its own, in which it waits for a line once.
  void next_round() { ++round_; }
  void next_turn() { ++turn_; }
  // Sectors of the stores since the last call that had been read.
  std::uint32_t in_place() { return std::exchange(in_place_, 0); }
  bool late() { return std::exchange(late_, false); }

 private:
  static constexpr std::uint64_t kWays = 16;
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;
  struct Line {  // no values to begin with: there are many of them, and most stay unused
    std::uint32_t since;
    // The second: a store finds that the line is known, a load does not find them.
    std::uint8_t sectors, stored;
    std::uint16_t by;  // the warp that stored last
    std::uint16_t brought_by;
    std::uint32_t brought;  // in which round
  };
  void ask(std::uint64_t piece) {
    if (piece == asked_last_) return;
    asked_last_ = piece;
    asked_.set(mix(piece) % kSlices);
  }
  struct Waited {
    std::uint64_t line = 0;
    std::uint32_t turn = 0;
  };
  bool holds(std::uint64_t at) const {
    return used_[at] && (lines_[at].sectors | lines_[at].stored) &&
           lines_[at].since >= empty_since_;
  }
  std::uint64_t oldest(std::uint64_t set) const {
    const auto first = used_.begin() + static_cast<std::ptrdiff_t>(set);
    return static_cast<std::uint64_t>(std::min_element(first, first + kWays) - used_.begin());
  }
  // Lines on end are spread evenly, others as if drawn.
  std::uint64_t set_of(std::uint64_t line) const {
    constexpr std::uint64_t kOnEnd = 128;
    return (line ^ mix(line / kOnEnd) % kOnEnd) % sets_;
  }
  static std::uint64_t mix(std::uint64_t line) {
    line *= kGolden;
    return line ^ line >> 32;
  }
  // Whether a store finds the line.
  bool known(const Line& line, std::uint16_t by, const Missed& missed) const {
    const double only_stored =
        line.by == by ? missed.stored : std::max(missed.stored, missed.stored_by_others);
    const double share = line.sectors ? missed.read : line.stored ? only_stored : 1;
    return static_cast<double>(mix(now_) >> 40) * 0x1p-24 >= share;
  }
  void put(std::uint64_t line, std::uint64_t at) {
    if (used_[at]) --held_[numbers_[at] * kGolden >> (64 - kHashBits)];
    ++held_[line * kGolden >> (64 - kHashBits)];
    numbers_[at] = line;
  }
  std::uint8_t again(std::uint64_t at, const Touch& t, std::uint16_t by, const Missed& missed) {
    Line& line = lines_[at];
    used_[at] = now_;
    const std::uint8_t there = line.sectors & t.sectors;
    switch (t.how) {
      case How::Load:
        line.sectors |= t.sectors;
        if (there != t.sectors) {
          line.brought = round_;
          line.brought_by = by;
        } else if (line.brought == round_ && line.brought_by != by) {
          Waited& waited = waited_[mix(t.line) >> 20 & (kWaited - 1)];
          late_ |= waited.line != t.line || waited.turn != turn_;
          waited = {t.line, turn_};
        }
        return there;
      case How::Store:
      case How::Placed: {  // written through
        const bool is_known = known(line, by, missed);
        in_place_ += static_cast<std::uint32_t>(std::popcount(there));
        line.stored |= t.sectors;
        line.by = by;
        return is_known ? t.sectors : std::uint8_t{0};
      }
      case How::NoAllocate:
        return there;
      case How::Past:
      case How::Acquire:
        return 0;
      case How::Atomic:
        line.sectors &= static_cast<std::uint8_t>(~t.sectors);
        line.stored &= static_cast<std::uint8_t>(~t.sectors);
        return 0;
    }
    return 0;
  }
  std::uint64_t sets_;
  std::uint32_t now_ = 0, empty_since_ = 0;  // touches: at most kMost are played
  static constexpr std::size_t kWaited = 256;
  std::array<Waited, kWaited> waited_;
  std::uint32_t round_ = 1, turn_ = 1;
  bool late_ = false;
  std::uint32_t in_place_ = 0;
  // Of L2, that were asked: so many lines on end are in the same one.
  static constexpr std::uint64_t kSlices = 96, kLinesInSlice = 4;
  std::bitset<kSlices> asked_;
  std::uint64_t asked_last_ = ~std::uint64_t{0};
  // Of the lines with the same hash, where one was found last and how many are held: so most need not be looked for.
  static constexpr int kHashBits = 12;
  std::array<std::uint32_t, 1 << kHashBits> last_at_{};
  std::array<std::uint16_t, 1 << kHashBits> held_{};
  // Apart from the lines: most of the time goes into looking for one.
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint32_t> used_;  // when, last
  std::unique_ptr<Line[]> lines_;    // where something was used
};

}  // namespace emu::observe
