// SPDX-License-Identifier: MIT
// The launches whose accesses are kept: those that run, and those that ended and that something may still race with.
// Blocks and warps are numbered through all of them, so that a number says which launch it is of.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "explore/weak_view.hpp"
#include "machine/grid.hpp"
#include "shadow/orders.hpp"

namespace emu::check {

struct KeptLaunch {
  std::uint32_t operation = 0;
  int device = 0;
  std::string kernel;
  exec::Dim3 grid, block, cluster;
  std::uint32_t number = 0;  // among those that are kept
  std::uint32_t first_warp = 0, warps = 0, warps_per_block = 1;
  std::uint64_t first_block = 0;
  Orders::Clock before;  // the operations that come before it, and its own
  exec::View begins,
      ended;  // what its threads know of others when they begin; knew when they ended
  std::uint64_t begun_at = 0, ended_at = 0;  // in the order of all beginnings and ends
  const exec::Grid* running = nullptr;       // nullptr: it has ended

  bool has(std::uint32_t warp) const { return warp - first_warp < warps; }
  std::uint64_t block_of(std::uint32_t warp) const {
    return first_block + (warp - first_warp) / warps_per_block;
  }
  // The number of the first block of its cluster.
  std::uint64_t cluster_of(std::uint64_t block) const;
};

class Launches {
 public:
  // nullptr: there are no numbers left.
  KeptLaunch* begin(const exec::Grid& launch, const Orders& orders);
  void end(const exec::Grid& launch);
  void clear();
  bool running() const { return running_ != 0; }
  // Of a grid that runs; nullptr: it is not followed.
  KeptLaunch* of(const exec::Grid& launch) const;
  const KeptLaunch& of_warp(std::uint32_t warp) const {
    if (!last_->has(warp)) [[unlikely]]
      find(warp);
    return *last_;
  }
  std::size_t size() const { return all_.size(); }
  const KeptLaunch& operator[](std::size_t i) const { return *all_[i]; }

 private:
  void find(std::uint32_t warp) const;

  std::vector<std::unique_ptr<KeptLaunch>> all_;  // by their numbers
  int running_ = 0;
  std::uint64_t moments_ = 0;  // beginnings and ends
  static const KeptLaunch kNone;
  mutable const KeptLaunch* last_ = &kNone;
};

}  // namespace emu::check
