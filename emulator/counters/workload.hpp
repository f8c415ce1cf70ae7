// SPDX-License-Identifier: MIT
// How much each block of a launch had to do, in instructions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "machine/grid.hpp"

namespace emu::observe {

class Workload {
 public:
  struct Block {
    std::uint32_t longest = 0;  // instructions of the warp that had most
    std::uint32_t all = 0;
  };
  static constexpr std::uint64_t kMost = 1u << 20;  // of larger grids nothing is kept

  void begin(const exec::Grid& grid) {
    blocks_.clear();
    if (grid.grid.count() <= kMost) blocks_.resize(grid.grid.count());
    complete_ = false;
    ended_ = 0;
  }
  void add(const exec::Block& block) {
    if (block.linear >= blocks_.size()) return;
    Block& b = blocks_[block.linear];
    for (const auto& warp : block.warps) {
      const auto n = static_cast<std::uint32_t>(warp->executed);
      b.longest = std::max(b.longest, n);
      b.all += n;
    }
    if (b.all == 0) return;  // under a schedule nobody counts
    complete_ = ++ended_ == blocks_.size();
  }
  // In the order of their numbers; empty where they are not all known.
  const std::vector<Block>& blocks() const {
    static const std::vector<Block> none;
    return complete_ ? blocks_ : none;
  }

 private:
  std::vector<Block> blocks_;
  std::uint64_t ended_ = 0;
  bool complete_ = false;
};

}  // namespace emu::observe
