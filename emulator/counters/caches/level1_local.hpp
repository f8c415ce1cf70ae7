// SPDX-License-Identifier: MIT
// Lines of local memory in the first-level cache. A launch begins without those of global memory, but the threads of the next one
// have their local memory in the same places, and find what the last one has left there: on an H200 all of it, if there was room.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace emu::observe {

class Level1Local {
 public:
  static constexpr std::uint64_t kFirst = std::uint64_t{1} << 56;  // of all such lines
  struct Line {
    std::uint64_t line;
    std::uint8_t sectors;
  };
  // Of a warp: its first line, by its place on its multiprocessor; and how many belong to multiprocessors before that.
  struct Place {
    std::uint64_t first, of_others;
  };
  // Of the warp in the so manieth place of its multiprocessor, which has a line for each word: the first one.
  std::uint64_t first_line(std::uint64_t place, std::uint64_t words) {
    used_ = true;
    return kFirst + place * words;
  }
  static bool is(std::uint64_t line) { return line - kFirst < kMany; }
  void forget() { left_ = {}; }
  // A launch has ended that left so many bytes to L1. What was there before is not known to be, if that changes. Returns whether
  // it has used local memory: if not, others have taken the room.
  bool played_with(std::uint64_t bytes) {
    const bool used = std::exchange(used_, false);
    if (std::exchange(bytes_, bytes) != bytes || !used) forget();
    return used;
  }
  std::vector<Line>& left_on(std::size_t multiprocessor) { return left_[multiprocessor]; }

 private:
  static constexpr std::uint64_t kMany = std::uint64_t{1} << 32;
  static constexpr std::size_t kMultiprocessors = 16;  // that are watched
  std::array<std::vector<Line>, kMultiprocessors> left_;
  std::uint64_t bytes_ = 0;
  bool used_ = false;
};

}  // namespace emu::observe
