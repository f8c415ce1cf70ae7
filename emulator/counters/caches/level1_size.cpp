// SPDX-License-Identifier: MIT
#include "counters/caches/level1_size.hpp"

#include <algorithm>

namespace emu::observe {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kNotShared = 28 * kKiB;
// What shared memory takes comes in steps.
constexpr std::uint64_t kSteps[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};

std::uint64_t step_for(std::uint64_t wanted, std::uint64_t most) {
  for (const std::uint64_t step : kSteps)
    if (step * kKiB >= wanted) return std::min(most, step * kKiB);
  return most;
}

}  // namespace

std::uint64_t level1_and_shared(const devices::Profile& gpu) {
  return gpu.shared_per_sm + kNotShared;
}

// As ncu says it was on an H200 (blocks of 32 to 1024 threads with up to 227 KiB each): the driver gives shared memory enough
// for as many blocks as can be there by their threads, each with 1 KiB that it has without asking. Up to 132 KiB it even gives
// enough for twice as many, or four times as many if they ask for none.
std::uint64_t level1_bytes(const exec::Grid& grid) {
  constexpr std::uint64_t kSpare = 132 * kKiB, kLargeBlock = 512;
  const devices::Profile& gpu = *grid.profile;
  const std::uint64_t asked = std::uint64_t{grid.static_shared} + grid.dynamic_shared;
  const std::uint64_t block = std::max<std::uint64_t>(1, asked + gpu.shared_reserved_per_block);
  const std::uint64_t threads = std::max<std::uint64_t>(1, grid.block.count());
  const std::uint64_t all = gpu.shared_per_sm, most = gpu.max_blocks_per_sm;
  const std::uint64_t fit = std::clamp<std::uint64_t>(gpu.max_threads_per_sm / threads, 1, most);
  const std::uint64_t generous = asked == 0 ? 4 * fit : threads <= kLargeBlock ? 2 * fit : fit;
  const std::uint64_t needed = step_for(std::min(fit, all / block) * block, all);
  const std::uint64_t spare = step_for(std::min(generous, most) * block, std::min(kSpare, all));
  return level1_and_shared(gpu) - std::max(needed, spare);
}

}  // namespace emu::observe
