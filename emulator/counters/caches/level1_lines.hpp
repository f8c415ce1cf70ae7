// SPDX-License-Identifier: MIT
// Which lines a first-level cache holds, and where.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "counters/access_rules.hpp"

namespace emu::observe {

// Sets of 16 lines; the one goes that was used longest ago. (On an H200 a warp that walks round 2048 lines finds few of them
// again, where 1792 fit.)
class Level1Lines {
 public:
  explicit Level1Lines(std::uint64_t bytes)
      : sets_(std::max<std::uint64_t>(1, bytes / (kWays * kLineSectors * kSectorBytes))),
        names_(sets_ * kWays),
        used_(sets_ * kWays) {}

  std::uint64_t places() const { return sets_ * kWays; }
  std::uint64_t none() const { return places(); }
  void next() { ++now_; }  // the uses of lines are in this order
  std::uint32_t now() const { return now_; }
  // The place of a line, which is used now; none(): it is not held.
  std::uint64_t find(std::uint64_t line) {
    const std::uint64_t hash = hash_of(line);
    std::uint32_t& last = last_[hash];
    if (names_[last] == line && holds(last)) return use(last);
    if (!named_[hash]) return none();
    const std::uint64_t set = set_of(line) * kWays;
    for (std::uint64_t at = set; at < set + kWays; ++at) {
      if (names_[at] != line || !holds(at)) continue;
      last = static_cast<std::uint32_t>(at);
      return use(at);
    }
    return none();
  }
  // A place for a line that is not held.
  std::uint64_t put(std::uint64_t line) {
    const std::uint64_t set = set_of(line) * kWays, hash = hash_of(line);
    std::uint64_t at = set + kWays;
    while (at > set && holds(at - 1)) --at;
    at = at > set ? at - 1 : oldest_of(set);
    if (used_[at] || names_[at]) --named_[hash_of(names_[at])];
    ++named_[hash];
    names_[at] = line;
    last_[hash] = static_cast<std::uint32_t>(at);
    return use(at);
  }
  void drop(std::uint64_t at) { used_[at] = 0; }
  void drop_all() { emptied_ = now_; }

 private:
  static constexpr std::uint64_t kWays = 16, kGolden = 0x9e3779b97f4a7c15u;
  static constexpr int kHashBits = 12;
  static std::uint64_t hash_of(std::uint64_t line) { return line * kGolden >> (64 - kHashBits); }
  // Lines on end are spread evenly, others as if drawn.
  std::uint64_t set_of(std::uint64_t line) const {
    constexpr std::uint64_t kOnEnd = 128;
    const std::uint64_t drawn = line / kOnEnd * kGolden;
    return (line ^ (drawn ^ drawn >> 32) % kOnEnd) % sets_;
  }
  bool holds(std::uint64_t at) const { return used_[at] > emptied_; }
  std::uint64_t use(std::uint64_t at) {
    used_[at] = now_;
    return at;
  }
  std::uint64_t oldest_of(std::uint64_t set) const {
    const auto first = used_.begin() + static_cast<std::ptrdiff_t>(set);
    return static_cast<std::uint64_t>(std::min_element(first, first + kWays) - used_.begin());
  }

  std::uint64_t sets_;
  std::uint32_t now_ = 0, emptied_ = 0;  // touches: at most Level1::kMost are played
  std::vector<std::uint64_t> names_;
  std::vector<std::uint32_t> used_;  // when, last; 0: not held
  // Of the lines with the same hash, where one was found last, and how many places have such a name: so most need not be
  // looked for.
  std::array<std::uint32_t, 1 << kHashBits> last_{};
  std::array<std::uint16_t, 1 << kHashBits> named_{};
};

}  // namespace emu::observe
