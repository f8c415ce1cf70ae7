// SPDX-License-Identifier: MIT
#include "shadow/launches.hpp"

#include <algorithm>
#include <limits>

#include "machine/kernel.hpp"

namespace emu::check {

const KeptLaunch Launches::kNone;

std::uint64_t KeptLaunch::cluster_of(std::uint64_t number) const {
  const std::uint64_t linear = number - first_block;
  const std::uint64_t x = linear % grid.x, y = linear / grid.x % grid.y,
                      z = linear / grid.x / grid.y;
  const auto down = [](std::uint64_t v, std::uint64_t by) { return v / by * by; };
  return first_block + down(x, cluster.x) +
         grid.x * (down(y, cluster.y) + grid.y * down(z, cluster.z));
}

KeptLaunch* Launches::begin(const exec::Grid& launch, const Orders& orders) {
  KeptLaunch kept;
  kept.warps_per_block =
      static_cast<std::uint32_t>((launch.block.count() + exec::kLanes - 1) / exec::kLanes);
  const std::uint64_t warps = launch.grid.count() * kept.warps_per_block;
  if (!all_.empty()) {
    const KeptLaunch& last = *all_.back();
    kept.first_warp = last.first_warp + last.warps;
    kept.first_block = last.first_block + last.grid.count();
  }
  if (warps > std::numeric_limits<std::uint32_t>::max() - kept.first_warp) return nullptr;
  kept.warps = static_cast<std::uint32_t>(warps);
  kept.operation = orders.current();
  kept.before = orders.now().clock;
  kept.device = launch.device;
  kept.kernel = launch.kernel->pretty;
  kept.grid = launch.grid;
  kept.block = launch.block;
  kept.cluster = launch.cluster;
  kept.running = &launch;
  kept.begun_at = ++moments_;
  kept.number = static_cast<std::uint32_t>(all_.size());
  all_.push_back(std::make_unique<KeptLaunch>(std::move(kept)));
  ++running_;
  return all_.back().get();
}

void Launches::end(const exec::Grid& launch) {
  KeptLaunch* const kept = of(launch);
  if (!kept) return;
  kept->running = nullptr;
  kept->ended_at = ++moments_;
  --running_;
}

void Launches::clear() {
  all_.clear();
  last_ = &kNone;
}

KeptLaunch* Launches::of(const exec::Grid& launch) const {
  const auto it = std::find_if(all_.rbegin(), all_.rend(),
                               [&](const auto& kept) { return kept->running == &launch; });
  return it == all_.rend() ? nullptr : it->get();
}

void Launches::find(std::uint32_t warp) const {
  const auto after = std::upper_bound(
      all_.begin(), all_.end(), warp,
      [](std::uint32_t number, const auto& kept) { return number < kept->first_warp; });
  last_ = std::prev(after)->get();
}

}  // namespace emu::check
