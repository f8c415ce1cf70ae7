// SPDX-License-Identifier: MIT
#include "counters/caches/l2_sets.hpp"

#include <algorithm>
#include <utility>

namespace emu::observe {
namespace {

std::uint64_t spread(std::uint64_t number) {
  const std::uint64_t drawn = as_if_drawn(number);
  return drawn ^ drawn >> 32;
}

}  // namespace

L2Sets::L2Sets(std::uint64_t lines) : sets_(lines / 2 / kWays) {
  for (auto& half : halves_) half.resize(sets_);
}

// How evenly was seen on an H200, where arrays begin to be lost that one thread reads again: of lines on end sets get nearly
// as many each, of every third or fifth one they get what chance gives them. Of each 8 KiB one half is at home in a half.
L2Sets::Set& L2Sets::set_of(const Line& line, std::uint32_t half) {
  constexpr std::uint64_t kOdd = 5, kBits = 9;                        // percent of the lines
  constexpr std::uint64_t kCopies = 31'676'000, kOther = 10'558'666;  // anywhere else
  const std::uint64_t number = line.page->number * L2Page::kLines + line.line;
  const std::uint64_t own = spread(number << 1 | half);
  std::uint64_t at = own >> 20;
  if (own % 100 >= kOdd) {
    const bool copy = line.page->home_of(line.line / L2Page::kWordLines) != half;
    const std::uint64_t nth =
        (number >> 6 << 5 | number % 32) + (copy ? kCopies : 0) + (half ? kOther : 0);
    at = nth ^ (spread(nth >> kBits) & ((1u << kBits) - 1));
  }
  Set& set = halves_[half][at % sets_];
  if (set.emptied != emptied_) {
    set = {};
    set.emptied = emptied_;
  }
  return set;
}

// The times that are known may be of long ago.
L2Sets::Line& L2Sets::oldest(Set& set, std::uint32_t half) {
  for (;;) {
    Line& found = *std::ranges::min_element(set.lines, {}, &Line::time);
    const std::uint32_t time = found.page->time[half][found.line];
    if (time == found.time) return found;
    found.time = time;
  }
}

L2Sets::Line L2Sets::put(const Line& line, std::uint32_t half, std::size_t later) {
  Set& set = set_of(line, half);
  Line* place = nullptr;
  for (Line& there : set.lines) {
    if (!there.page) {
      place = &there;
    } else if (there.time == L2Page::kLeavesFirst) {
      there.time = there.page->time[half][there.line];
      if (there.time == L2Page::kLeavesFirst) return std::exchange(there, line);
    }
  }
  if (place) return std::exchange(*place, line);
  if (later == 0) return std::exchange(oldest(set, half), line);
  for (Line& there : set.lines) there.time = there.page->time[half][there.line];
  const auto nth =
      set.lines.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(later, kWays - 1));
  std::ranges::nth_element(set.lines, nth, {}, &Line::time);
  return std::exchange(*nth, line);
}

void L2Sets::drop(const Line& line, std::uint32_t half) {
  for (Line& there : set_of(line, half).lines)
    if (there.page == line.page && there.line == line.line) there = {};
}

L2Sets::Line L2Sets::oldest_dirty(const Line& of, std::uint32_t half) {
  Line found;
  for (Line& there : set_of(of, half).lines) {
    if (!there.page || !there.page->dirty_line(there.line, half)) continue;
    there.time = there.page->time[half][there.line];
    if (!found.page || there.time < found.time) found = there;
  }
  return found;
}

void L2Sets::forget_times() {
  for (auto& half : halves_)
    for (Set& set : half)
      for (Line& line : set.lines) line.time = L2Page::kLeavesFirst;
}

}  // namespace emu::observe
