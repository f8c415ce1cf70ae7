// SPDX-License-Identifier: MIT
// Which lines a first-level cache holds, and where.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "counters/access_rules.hpp"

namespace emu::observe {

// Names of 2048 lines in sets of four, as if the whole memory of the multiprocessor were a cache, and room for the data of as many
// as shared memory leaves, less 8 KiB. Who comes to a full set takes the place of what was used longest ago there. Who finds a place
// but no room takes that of the older one of two, each the oldest of a set that is drawn.
//
// Read off an H200 with tests/model/walk.cu: one thread that walks round lines on end finds them all as long as there is room; of lines
// that are drawn it finds 98 % of 512, 85 % of 1024 and 43 % of 2048, however much room there is.
class Level1Lines {
 public:
  static constexpr std::uint64_t kSets = 512, kWays = 4, kPlaces = kSets * kWays, kNone = kPlaces;
  explicit Level1Lines(std::uint64_t bytes)
      : room_(std::max(kNoRoom + 1, bytes / (kLineSectors * kSectorBytes)) - kNoRoom),
        names_(kPlaces),
        used_(kPlaces) {}

  void next() { ++now_; }  // the uses of a line are in this order
  std::uint32_t now() const { return now_; }
  // The place of a line, which is used now; kNone: it is not held.
  std::uint64_t find(std::uint64_t line) {
    const std::uint64_t hash = hash_of(line);
    std::uint16_t& last = last_[hash];
    if (names_[last] == line && holds(last)) return use(last);
    if (!named_[hash]) return kNone;
    const std::uint64_t set = set_of(line) * kWays;
    for (std::uint64_t at = set; at < set + kWays; ++at) {
      if (names_[at] != line || !holds(at)) continue;
      last = static_cast<std::uint16_t>(at);
      return use(at);
    }
    return kNone;
  }
  // A place for a line that is not held.
  std::uint64_t put(std::uint64_t line) {
    const std::uint64_t set = set_of(line) * kWays;
    std::uint64_t at = free_in(set);
    if (at == kNone) {
      at = oldest_of(set);
    } else if (held_ < room_) {
      ++held_;
    } else {
      used_[older_of_two()] = 0;
    }
    if (was_named_[at]) --named_[hash_of(names_[at])];
    was_named_[at] = true;
    names_[at] = line;
    const std::uint64_t hash = hash_of(line);
    ++named_[hash];
    last_[hash] = static_cast<std::uint16_t>(at);
    return use(at);
  }
  void drop(std::uint64_t at) {
    used_[at] = 0;
    --held_;
  }
  void drop_all() {
    emptied_ = now_;
    held_ = 0;
  }

 private:
  static constexpr std::uint64_t kNoRoom = 64;
  static constexpr int kHashBits = 12;
  static std::uint64_t hash_of(std::uint64_t line) {
    return line * 0x9e3779b97f4a7c15u >> (64 - kHashBits);
  }
  // Lines on end are spread evenly, others as if drawn.
  static std::uint64_t set_of(std::uint64_t line) {
    const std::uint64_t drawn = line / kSets * 0x9e3779b97f4a7c15u;
    return (line ^ drawn >> 40) % kSets;
  }
  bool holds(std::uint64_t at) const { return used_[at] > emptied_; }
  std::uint64_t use(std::uint64_t at) {
    used_[at] = now_;
    return at;
  }
  std::uint64_t free_in(std::uint64_t set) const {
    for (std::uint64_t at = set; at < set + kWays; ++at)
      if (!holds(at)) return at;
    return kNone;
  }
  std::uint64_t oldest_of(std::uint64_t set) const {
    std::uint64_t oldest = kNone;
    for (std::uint64_t at = set; at < set + kWays; ++at)
      if (holds(at) && (oldest == kNone || used_[at] < used_[oldest])) oldest = at;
    return oldest;
  }
  std::uint64_t older_of_two() {
    std::uint64_t older = kNone;
    for (int drawn = 0; drawn < 2;) {
      draw_ = draw_ * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
      const std::uint64_t at = oldest_of((draw_ >> 40) % kSets * kWays);
      if (at == kNone) continue;
      ++drawn;
      if (older == kNone || used_[at] < used_[older]) older = at;
    }
    return older;
  }

  std::uint64_t room_, held_ = 0, draw_ = 0;  // lines
  std::uint32_t now_ = 0, emptied_ = 0;
  std::vector<std::uint64_t> names_;
  std::vector<std::uint32_t> used_;  // when, last; 0: not held
  // Of the lines with the same hash, where one was found last, and how many places have such a name: so most need not be
  // looked for.
  std::array<std::uint16_t, 1 << kHashBits> last_{}, named_{};
  std::array<bool, kPlaces> was_named_{};
};

}  // namespace emu::observe
