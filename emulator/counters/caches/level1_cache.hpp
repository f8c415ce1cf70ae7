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

#include "counters/caches/level1.hpp"
#include "counters/caches/level1_lines.hpp"

namespace emu::observe {

class Level1::Cache {
 public:
  Cache(std::uint64_t all_bytes, std::uint64_t bytes)
      : places_(all_bytes, bytes),
        lines_(std::make_unique_for_overwrite<Line[]>(places_.places())) {}
  void restart(std::uint64_t shift);  // empty, for another multiprocessor
  // Returns which of the sectors were there. `by`: the warp that asks.
  std::uint8_t touch(const Touch& t, std::uint16_t by, const Missed& missed) {
    places_.next();
    busy_ += t.how == How::Store ? kStoredLine : kLoadedLine;
    const std::uint8_t there = look_up(t, by, missed);
    if (there != t.sectors() || t.how == How::Store) ask(t.line / kLinesInSlice);
    return there;
  }
  std::uint8_t look_up(const Touch& t, std::uint16_t by, const Missed& missed) {
    if (t.how == How::Acquire) {
      places_.drop_all();
      return 0;
    }
    const std::uint64_t at = places_.find(t.line);
    if (at != places_.none()) {
      // What was read stays longer if it is used again. What was only stored does not.
      if (t.how != How::Store || lines_[at].sectors) places_.stay(at);
      return again(at, t, by, missed);
    }
    if (t.how != How::Load && t.how != How::Store) return 0;
    const std::uint64_t fresh = places_.put(t.line);
    lines_[fresh] = {0, 0, 0, 0, by, 0, 0, 0, 0};
    return again(fresh, t, by, missed);
  }
  std::uint64_t slices() const { return asked_.count(); }
  // How long lines have been looked up so far, in hundredths of a cycle.
  std::uint64_t busy() const { return busy_; }
  void begin_with(const std::vector<Level1Local::Line>& local);
  std::vector<Level1Local::Line> local_lines();
  // All warps have had a turn. And: one of them has its own, in which it waits for a line once.
  void next_round() {
    ++round_;
    places_.next_round();
  }
  void next_turn() { ++turn_; }
  // Sectors of the stores since the last call that had been read.
  std::uint32_t in_place() { return std::exchange(in_place_, 0); }
  std::uint32_t beside() { return std::exchange(beside_, 0); }
  bool late() { return std::exchange(late_, false); }

 private:
  using Line = Level1Line;
  void ask(std::uint64_t piece) {
    if (piece == asked_last_) return;
    asked_last_ = piece;
    asked_.set(mix(piece) % kSlices);
  }
  struct Waited {
    std::uint64_t line = 0;
    std::uint32_t turn = 0;
  };
  static std::uint64_t mix(std::uint64_t line) {
    line *= 0x9e3779b97f4a7c15u;
    return line ^ line >> 32;
  }
  // Whether a store finds the line.
  bool known(const Line& line, std::uint16_t by, const Missed& missed) const {
    const double only_stored =
        line.by == by ? missed.stored : std::max(missed.stored, missed.stored_by_others);
    const double share = line.sectors ? missed.read : line.stored ? only_stored : 1;
    return static_cast<double>(mix(places_.now() + drawn_from_) >> 40) * 0x1p-24 >= share;
  }
  // Of the sectors that a load wants, those that were read or of which all words that it wants were written.
  static std::uint8_t found(const Line& line, const Touch& t, std::uint8_t wanted) {
    const std::uint8_t missing = sectors_of(t.words & ~line.written);
    return static_cast<std::uint8_t>(wanted & (line.sectors | ~missing));
  }
  std::uint8_t again(std::uint64_t at, const Touch& t, std::uint16_t by, const Missed& missed) {
    Line& line = lines_[at];
    const std::uint8_t wanted = t.sectors();
    std::uint8_t there = line.sectors & wanted;
    switch (t.how) {
      case How::Load:
        there = found(line, t, wanted);
        line.sectors |= static_cast<std::uint8_t>(wanted & ~there);
        if (there != wanted) {
          line.bring(static_cast<std::uint8_t>(wanted & ~there), by, round_);
        } else if (line.brought == round_ && line.brought_by != by) {
          Waited& waited = waited_[mix(t.line) >> 20 & (kWaited - 1)];
          late_ |= waited.line != t.line || waited.turn != turn_;
          waited = {t.line, turn_};
        }
        return there;
      case How::Store:
      case How::Placed: {  // written through
        const bool is_known = !line.stored_between(wanted, by, round_) && known(line, by, missed);
        in_place_ += static_cast<std::uint32_t>(std::popcount(there));
        if (line.by != by && line.by >> 5 == by >> 5 && line.stored_in == round_ &&
            line.stored_with == t.instruction)
          beside_ += static_cast<std::uint32_t>(
              std::popcount(static_cast<std::uint8_t>(line.stored & wanted)));
        line.stored_in = round_;
        line.stored_with = t.instruction;
        line.stored |= wanted;
        line.written |= t.words;
        line.by = by;
        return is_known ? wanted : std::uint8_t{0};
      }
      case How::NoAllocate:
        return there;
      // The whole line goes, as an H200 shows: tests/model/sets.cu.
      case How::Past:
      case How::Atomic:
        places_.drop(at);
        return 0;
      case How::Acquire:
        return 0;
    }
    return 0;
  }
  static constexpr std::size_t kWaited = 256;
  std::array<Waited, kWaited> waited_;
  std::uint32_t round_ = 1, turn_ = 1;
  bool late_ = false;
  static constexpr std::uint64_t kLoadedLine = 66, kStoredLine = 195;
  std::uint64_t busy_ = 0;
  std::uint32_t in_place_ = 0, beside_ = 0;
  // Of L2, that were asked: so many lines on end are in the same one.
  static constexpr std::uint64_t kSlices = 96, kLinesInSlice = 4;
  std::bitset<kSlices> asked_;
  std::uint64_t asked_last_ = ~std::uint64_t{0};
  Level1Lines places_;
  std::unique_ptr<Line[]> lines_;  // by place
  std::uint64_t drawn_from_ = 0;   // each multiprocessor from elsewhere
};

}  // namespace emu::observe
