// SPDX-License-Identifier: MIT
// Turns what went wrong into a text a student can act on: kernel, block, thread, source line, and
// what to look at.
#pragma once

#include <string>
#include <vector>

#include "machine/grid.hpp"
#include "machine/kernel.hpp"

namespace emu::exec {

[[noreturn]] void throw_fault(const Grid& grid, const Kernel& kernel, const Warp* warp,
                              const Fault& fault);
// Nobody can go on (`spinning`: they run but nothing will ever change). `waiting_blocks`: blocks
// that have not started.
[[noreturn]] void throw_stuck(const Grid& grid, const Kernel& kernel,
                              const std::vector<const Block*>& blocks, std::uint64_t waiting_blocks,
                              bool spinning);

}  // namespace emu::exec
