// SPDX-License-Identifier: MIT
// The times that the memory system needs for a launch: caches, DRAM, atomics.
#pragma once

#include <span>

#include "timing/model.hpp"

namespace emu::observe {

struct MemorySide {
  double l1 = 0;                  // cycles of one multiprocessor
  double l2 = 0, dram = 0;        // ns
  double atomics = 0;             // ns
  double shared_passes_less = 0;  // wavefronts that the machine does without
  double read = 0;                // bytes that come from DRAM
};
// The share of what is read of constant memory that is near.
double constants_near(const LaunchCounts& launch);

MemorySide memory_side(const LaunchCounts& launch, std::span<const Executed> codes,
                       const devices::Profile& gpu, double busy, bool awaits_blocks = false);

}  // namespace emu::observe
