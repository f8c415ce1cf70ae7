// SPDX-License-Identifier: MIT
// A multiprocessor has one memory for its first-level cache and for shared memory: who gets how much.
#pragma once

#include <cstdint>

#include "machine/grid.hpp"

namespace emu::observe {

// Both together.
std::uint64_t level1_and_shared(const devices::Profile& gpu);
// What is left for the cache beside the blocks of this launch.
std::uint64_t level1_bytes(const exec::Grid& grid);

}  // namespace emu::observe
