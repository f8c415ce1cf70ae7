// SPDX-License-Identifier: MIT
// Which lines a first-level cache holds, and where.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "counters/access_rules.hpp"
#include "counters/caches/level1_set.hpp"

namespace emu::observe {

// As on an H200 (tests/model/sets.cu asks it line by line, tests/model/again.cu with many warps): there are as many names as lines
// in all of the memory that L1 has with shared memory, in sets of four, and room for data as shared memory leaves it. If there
// is no room, a line of the same set leaves. One that leaves before its data have come keeps its room until they have.
class Level1Lines {
 public:
  // Of both uses, and what shared memory leaves of it.
  Level1Lines(std::uint64_t all_bytes, std::uint64_t bytes)
      : sets_(std::max<std::uint64_t>(1, all_bytes / (kWays * kLineBytes))),
        room_(std::max<std::uint64_t>(bytes / kLineBytes, kKept + kWays) - kKept),
        names_(std::make_unique_for_overwrite<std::uint64_t[]>(places())),
        brought_(std::make_unique_for_overwrite<std::uint32_t[]>(places())) {}
  // Empty, and all lines so much further on.
  void restart(std::uint64_t shift) {
    drop_all();
    now_ = round_ = 0;
    shift_ = shift;
    near_ = ~std::uint64_t{0};
  }

  std::uint64_t places() const { return sets_.size() * kWays; }
  std::uint64_t none() const { return places(); }
  void next() { ++now_; }
  std::uint32_t now() const { return now_; }  // touches
  // The place of a line; none(): it is not held.
  std::uint64_t find(std::uint64_t line) {
    const std::uint64_t number = set_of(line);
    Level1Set& set = fresh(number);
    for (std::uint64_t way = 0; way < kWays; ++way) {
      if (names_[number * kWays + way] != line || !(set.held >> way & 1)) continue;
      return number * kWays + way;
    }
    return none();
  }
  // It is used again, so it leaves later.
  void stay(std::uint64_t at) { sets_[at / kWays].hit(static_cast<std::uint8_t>(at % kWays)); }
  // A place for a line that is not held.
  std::uint64_t put(std::uint64_t line) {
    const std::uint64_t number = set_of(line);
    Level1Set& set = fresh(number);
    if (set.full()) leave(number, set.first());
    if (used_ >= room_ && set.held) {
      leave(number, set.first());
    } else if (used_ >= room_) {
      take_elsewhere();
    }
    const std::uint64_t at = number * kWays + set.put();
    ++used_;
    brought_[at] = round_;
    names_[at] = line;
    return at;
  }
  // All lines with their places.
  void for_each(auto&& what) {
    for (std::uint64_t at = 0; at < places(); ++at)
      if (fresh(at / kWays).held >> at % kWays & 1) what(names_[at], at);
  }
  void drop(std::uint64_t at) {
    fresh(at / kWays).drop(static_cast<std::uint8_t>(at % kWays));
    --used_;
  }
  void drop_all() {
    ++emptied_;
    used_ = on_their_way_ = 0;
  }
  // What was asked for has come.
  void next_round() {
    used_ -= std::exchange(on_their_way_, 0);
    ++round_;
  }

 private:
  static constexpr std::uint64_t kWays = Level1Set::kWays, kLineBytes = kLineSectors * kSectorBytes;
  static constexpr std::uint64_t kKept = 64;  // lines that are not for data
  Level1Set& fresh(std::uint64_t number) {
    Level1Set& set = sets_[number];
    if (set.emptied != emptied_) {
      set = {};
      set.emptied = emptied_;
    }
    return set;
  }
  void leave(std::uint64_t number, std::uint8_t way) {
    sets_[number].drop(way);
    const bool here = brought_[number * kWays + way] != round_;
    (here ? --used_ : ++on_their_way_);
  }
  // Room for a set that has none: from another one.
  void take_elsewhere() {
    if (used_ == on_their_way_) return;
    std::uint64_t number = (now_ * 0x9e3779b97f4a7c15u >> 32) % sets_.size();
    while (!fresh(number).held) number = (number + 1) % sets_.size();
    leave(number, sets_[number].first());
  }
  // What bits flip that lines near each other have in common is found once for them.
  std::uint64_t set_of(std::uint64_t line) {
    constexpr std::uint64_t kNear = std::uint64_t{1} << 18;
    line += shift_;
    if (line / kNear != near_) {
      near_ = line / kNear;
      flipped_ = level1_set(near_ * kNear);
    }
    const std::uint64_t set = flipped_ ^ level1_set(line % kNear);
    return set < sets_.size() ? set : set % sets_.size();
  }

  std::vector<Level1Set> sets_;
  std::uint64_t room_, used_ = 0;
  std::uint64_t on_their_way_ = 0;  // of those in use, lines that have left already
  std::uint32_t now_ = 0, emptied_ = 0, round_ = 0;
  std::unique_ptr<std::uint64_t[]> names_;                // by place
  std::unique_ptr<std::uint32_t[]> brought_;              // in which round
  std::uint64_t near_ = ~std::uint64_t{0}, flipped_ = 0;  // set_of()
  std::uint64_t shift_ = 0;                               // of all lines
};

}  // namespace emu::observe
