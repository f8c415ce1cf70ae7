// SPDX-License-Identifier: MIT
// How many registers the compiler behind the PTX would give a kernel: a guess from which values must
// be kept at once.
#pragma once

#include <cstdint>

#include "analysis/control_flow.hpp"
#include "analysis/liveness.hpp"

namespace emu::exec {

// The most 32-bit registers that are needed at once. Not counted, because the machine keeps them
// elsewhere or makes them again: parameters and constants, what is the same for all threads of a
// block (it has registers of its own), and addresses that differ from another one by a constant.
std::uint32_t estimate_live_words(const ptx::Function& function, const FlowGraph& graph);

// Registers that can be seen to hold the same in all threads of a block.
Bits find_uniform(const ptx::Function& function);

}  // namespace emu::exec
