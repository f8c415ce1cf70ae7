// SPDX-License-Identifier: MIT
// What unequal blocks, and a last round that does not fill the GPU, cost: the blocks are handed out once
// more, each to the place that becomes free first, as long as their instructions say.
#pragma once

#include <cstddef>
#include <span>

#include "counters/workload.hpp"

namespace emu::observe {

struct Tail {
  // How much longer all takes than if every block had the mean to do: where a block's own way decides ...
  double path = 1;
  // ... and where the multiprocessors are busy: the one with the most work, over the mean of all.
  double work = 1;
  double longest = 0;  // instructions of a block's longest warp, on average
};

// Blocks that run at once, on so many multiprocessors.
struct Places {
  std::size_t blocks = 1, multiprocessors = 1;
};
// `steps`: instructions of a usual block's way; `rare`: more that only some blocks execute, whose time is
// known, so that they do not count here.
Tail find_tail(std::span<const Workload::Block> blocks, const Places& places, double steps,
               double rare);

// Instructions of a warp.
double mean_of_warps(std::span<const Workload::Block> blocks, double warps_of_block);

}  // namespace emu::observe
