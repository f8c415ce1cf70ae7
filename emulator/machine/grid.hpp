// SPDX-License-Identifier: MIT
// Blocks, clusters and the grid of one launch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "devices/profile.hpp"
#include "machine/warp.hpp"

namespace emu::exec {

struct Kernel;
class Program;
class WeakMemory;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

inline constexpr int kNamedBarriers = 16;

// One of the 16 barriers of a block. Counts whole warps, as PTX says.
struct NamedBarrier {
  std::uint32_t expected = 0;   // threads; 0: nobody has come yet
  std::uint32_t arrived = 0;    // threads, in multiples of 32
  std::uint32_t red_popc = 0;   // of barrier.red: lanes whose predicate holds
  std::uint32_t red_total = 0;  // ... and lanes that took part
};

// Copies that were issued and have not been made yet (cp.async, cp.async.bulk); see
// access/async_copy.hpp.
struct AsyncCopies;

struct Block {
  Grid* grid = nullptr;
  Dim3 index{0, 0, 0};
  std::uint64_t linear = 0;
  std::uint32_t threads = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<std::byte> shared;    // static, then dynamic
  std::vector<std::byte> specials;  // Area::Block
  std::array<NamedBarrier, kNamedBarriers> barriers{};
  std::shared_ptr<AsyncCopies> async;  // made on first use
  std::vector<Block*> cluster;         // blocks of its cluster by rank; {this} without clusters
  std::uint32_t rank = 0;              // in the cluster
  struct ClusterBarrier {
    std::uint32_t phase = 1;  // completed phases + 1
  };
  std::shared_ptr<ClusterBarrier> cluster_barrier;  // one per cluster
  std::uint32_t live_warps = 0;
  bool finished = false;
};

struct Grid {
  const Kernel* kernel = nullptr;
  const devices::Profile* profile = nullptr;
  int device = 0;
  bool several_devices = false;  // so that it is worth naming
  std::uint64_t id = 0;          // %gridid: the number of the launch, from 1
  std::uint64_t timer_start =
      0;  // %globaltimer when it began: warp instructions of all launches before
  Dim3 grid, block, cluster;                                                 // cluster in blocks
  std::uint32_t reserved_shared = 0, static_shared = 0, dynamic_shared = 0;  // bytes, in this order
  std::vector<std::byte> params;  // the kernel's parameter block
  memory::Address cooperative_workspace =
      0;                               // what %envreg1:%envreg2 point to; 0 for an ordinary launch
  std::uint64_t heap_limit = 8 << 20;  // bytes in-kernel malloc may hold
  std::uint64_t clock = 0;             // warp instructions executed so far
  std::uint64_t clock_reads = 0;       // a loop that waits for time to pass is no livelock
  std::uint64_t memory_changes =
      0;  // bumped by whatever changes memory others can see: what livelock detection watches
  std::uint32_t resident_blocks = 1;  // how many the modelled GPU holds at once
  bool lock_step = false;  // a warp serves the lanes that lag, and nobody else (schedule.hpp)
  observe::Observer* observer = nullptr;
  WeakMemory* weak = nullptr;  // WARPLADDER_MEMORY=weak; else null
};

}  // namespace emu::exec
