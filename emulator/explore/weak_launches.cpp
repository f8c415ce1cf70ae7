// SPDX-License-Identifier: MIT
// The weak memory mode: launches that come and go, and their blocks.
#include "explore/weak_state.hpp"

namespace emu::exec {

void WeakMemory::begin(const Grid& grid) {
  auto& kept = grids_[&grid];
  kept = std::make_unique<OfGrid>();
  kept->first = next_block_;
  kept->one_block_clusters = grid.cluster.count() == 1;
  next_block_ += grid.grid.count();
  ended_[grid.device].join(host_);
  orders_.clear();  // the scope of a cluster depends on the launch
}

void WeakMemory::end(const Grid& grid) {
  for (auto it = blocks_.begin(); it != blocks_.end();) {
    if (it->second->grid != &grid) {
      ++it;
      continue;
    }
    retire(*it->second);
    it = blocks_.erase(it);
  }
  grids_.erase(&grid);
}

// What its threads knew is known to every launch that begins on this device from now on. Streams promise that to
// those behind it only; to the others it is given too.
void WeakMemory::retire(const OfBlock& block) {
  if (!several_) return;
  View& ended = ended_[block.grid->device];
  for (const Thread& t : block.threads) ended.join(t.known);
}

WeakMemory::OfGrid& WeakMemory::of_grid(const Grid& grid) { return *grids_.at(&grid); }

WeakMemory::OfBlock& WeakMemory::of_block(const Block& block) {
  auto& kept = blocks_[&block];
  if (!kept || kept->linear != block.linear) {  // the next block in the same place
    if (kept) retire(*kept);
    const OfGrid& launch = of_grid(*block.grid);
    kept = std::make_unique<OfBlock>();
    kept->linear = block.linear;
    kept->number = launch.first + block.linear;
    kept->grid = block.grid;
    kept->threads.resize(block.warps.size() * kLanes);
    for (Thread& t : kept->threads) {
      constexpr unsigned kChances[] = {64, 128, 192, 240};
      const auto device = static_cast<std::uint64_t>(block.grid->device);
      t.domains = {4 * kept->number, 4 * (launch.first + block.cluster.front()->linear) + 1,
                   several_ ? 4 * device + 2 : kEverywhere, kEverywhere};
      // Clusters of one block have no scope of their own.
      if (launch.one_block_clusters) t.domains[1] = t.domains[0];
      t.stale_of_256 = kChances[random() & 3];
      t.known = ended_[block.grid->device];
    }
  }
  return *kept;
}

}  // namespace emu::exec
