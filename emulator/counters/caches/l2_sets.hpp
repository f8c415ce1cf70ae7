// SPDX-License-Identifier: MIT
// Where lines are in the L2 cache, and which of them leaves when another one comes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counters/caches/l2_page.hpp"

namespace emu::observe {

// As on an H200 (tests/model/l2.cu asks it line by line): each half has sets of 16 lines, of which the one used longest
// ago leaves, and before it what is to leave first (L2Page::kLeavesFirst). What a half keeps of what is at home in the other
// one is a line as any other.
class L2Sets {
 public:
  static constexpr std::uint32_t kWays = 16, kMostDirty = 8;
  // A line of a page. Time: when it was used, or so long ago at least.
  struct Line {
    L2Page* page = nullptr;
    std::uint32_t line = 0, time = 0;
  };

  explicit L2Sets(std::uint64_t lines = 0);
  bool unlimited() const { return sets_ == 0; }
  std::uint64_t lines() const { return 2 * sets_ * kWays; }
  // A place for a line that is not there. Returns who was in it, if anyone was: of those used longest ago the first one, or as
  // many later.
  Line put(const Line& line, std::uint32_t half, std::size_t later = 0);
  void drop(const Line& line, std::uint32_t half);
  // A line has become dirty, or is not any more. Returns whether too many of its set are.
  bool soil(const Line& line, std::uint32_t half) {
    return ++set_of(line, half).dirty > kMostDirty;
  }
  void clean(const Line& line, std::uint32_t half) { --set_of(line, half).dirty; }
  // Of the lines in the same set, that one of the dirty ones which was used longest ago.
  Line oldest_dirty(const Line& of, std::uint32_t half);
  void empty() { ++emptied_; }
  void forget_times();  // those that are known: another clock

 private:
  struct Set {
    std::array<Line, kWays> lines;
    std::uint32_t dirty = 0, emptied = 0;
  };
  Set& set_of(const Line& line, std::uint32_t half);
  static Line& oldest(Set& set, std::uint32_t half);

  std::uint64_t sets_;  // of a half
  std::uint32_t emptied_ = 0;
  std::array<std::vector<Set>, 2> halves_;
};

}  // namespace emu::observe
