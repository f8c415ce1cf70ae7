// SPDX-License-Identifier: MIT
// How much of constant memory the blocks of a multiprocessor read: its own cache for constants is small.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>

#include "counters/access_rules.hpp"

namespace emu::observe {

class ConstantLines {
 public:
  void add(const Addresses& addresses, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < addresses.count; ++i) {
      const std::uint64_t first = addresses.address[i] / kLine,
                          last = (addresses.address[i] + bytes - 1) / kLine;
      for (std::uint64_t line = first; line <= last; ++line) own_.set(line % kLines);
    }
  }
  void next_block() {
    if (own_.none()) return;
    ++blocks_;
    lines_ += own_.count();
    all_ |= own_;
    own_.reset();
  }
  // What so many blocks read that run together, each as much as the average of those that read any: at the most lines of
  // their own, all that are read at all.
  std::uint64_t bytes(double together) {
    next_block();
    if (blocks_ == 0) return 0;
    const double own = static_cast<double>(lines_) / static_cast<double>(blocks_);
    const double lines = std::min(own * together, static_cast<double>(all_.count()));
    return static_cast<std::uint64_t>(lines * kLine);
  }

 private:
  static constexpr std::uint64_t kLine = 64, kLines = (64 << 10) / kLine;  // all that there can be
  std::bitset<kLines> own_, all_;  // of the block that runs, and of those before it
  std::uint64_t lines_ = 0, blocks_ = 0;
};

}  // namespace emu::observe
