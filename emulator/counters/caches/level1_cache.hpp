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
  explicit Cache(std::uint64_t bytes)
      : places_(bytes), lines_(std::make_unique_for_overwrite<Line[]>(Level1Lines::kPlaces)) {}
  // Returns which of the sectors were there. `by`: the warp that asks.
  std::uint8_t touch(const Touch& t, std::uint16_t by, const Missed& missed) {
    places_.next();
    const std::uint8_t there = look_up(t, by, missed);
    if (there != t.sectors || t.how == How::Store) ask(t.line / kLinesInSlice);
    return there;
  }
  std::uint64_t slices() const { return asked_.count(); }
  // Rounds: how long something takes that comes from L2, which the others have a turn in.
  std::uint32_t round() const { return round_; }
  void next_round() { ++round_; }
  void next_turn() { ++turn_; }  // of a warp, in which it waits for a line once
  // Of the touches since the last call: sectors of stores that had been read; whether something had been asked for by another
  // warp and was not there yet; the round in which all is there.
  std::uint32_t in_place() { return std::exchange(in_place_, 0); }
  bool late() { return std::exchange(late_, false); }
  std::uint32_t there() { return std::exchange(there_, 0); }

 private:
  struct Line {  // no values to begin with: there are many of them, and most stay unused
    // The second: a store finds that the line is known, a load does not find them.
    std::uint8_t sectors, stored;
    std::uint16_t by;          // the warp that stored last
    std::uint16_t brought_by;  // ... and the one whose load has brought something last,
    std::uint32_t there_in;    // which is there in that round
  };
  struct Waited {
    std::uint64_t line = 0;
    std::uint32_t turn = 0;
  };
  static std::uint64_t mix(std::uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
  }
  std::uint8_t look_up(const Touch& t, std::uint16_t by, const Missed& missed) {
    if (t.how == How::Acquire) {
      places_.drop_all();
      return 0;
    }
    std::uint64_t at = places_.find(t.line);
    if (at == Level1Lines::kNone) {
      if (t.how != How::Load && t.how != How::Store) return 0;
      at = places_.put(t.line);
      lines_[at] = {0, 0, by, 0, 0};
    }
    Line& line = lines_[at];
    const std::uint8_t there = line.sectors & t.sectors;
    switch (t.how) {
      case How::Load:
        load(line, t, by, there);
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
        if (!(line.sectors | line.stored)) places_.drop(at);
        return 0;
    }
    return 0;
  }
  void load(Line& line, const Touch& t, std::uint16_t by, std::uint8_t there) {
    line.sectors |= t.sectors;
    if (there != t.sectors) {
      line.there_in = round_ + (t.far ? rounds_from_dram() : 1);
      line.brought_by = by;
    } else if (line.there_in > round_ && line.brought_by != by) {
      Waited& waited = waited_[mix(t.line) >> 20 & (kWaited - 1)];
      late_ |= waited.line != t.line || waited.turn != turn_;
      waited = {t.line, turn_};
    } else {
      return;
    }
    there_ = std::max(there_, line.there_in);
  }
  // DRAM takes eight times as long when it is busy, give or take a half.
  std::uint32_t rounds_from_dram() const {
    return kFar / 2 + static_cast<std::uint32_t>((mix(places_.now()) >> 20) % (kFar + 1));
  }
  // Whether a store finds the line. Every so many does not, so that a few stores have their share, too.
  bool known(const Line& line, std::uint16_t by, const Missed& missed) {
    const double only_stored =
        line.by == by ? missed.stored : std::max(missed.stored, missed.stored_by_others);
    const double share = line.sectors ? missed.read : line.stored ? only_stored : 1;
    if (share == 0 || share == 1) return share == 0;
    missing_ += share;
    if (missing_ < 1) return true;
    missing_ -= 1;
    return false;
  }
  void ask(std::uint64_t piece) {
    if (piece == asked_last_) return;
    asked_last_ = piece;
    asked_.set(mix(piece) % kSlices);
  }

  static constexpr std::uint32_t kFar = Level1::kFar;
  static constexpr std::size_t kWaited = 256;
  Level1Lines places_;
  std::unique_ptr<Line[]> lines_;  // by place
  std::array<Waited, kWaited> waited_;
  std::uint32_t round_ = 1, turn_ = 1, there_ = 0, in_place_ = 0;
  bool late_ = false;
  double missing_ = 0.5;
  // Slices of L2 that were asked: so many lines on end are in the same one.
  static constexpr std::uint64_t kSlices = 96, kLinesInSlice = 4;
  std::bitset<kSlices> asked_;
  std::uint64_t asked_last_ = ~std::uint64_t{0};
};

}  // namespace emu::observe
