// SPDX-License-Identifier: MIT
// Where threads wait for each other: warp-level instructions with a member mask, the 16 barriers of a
// block, the barrier of a cluster. Each returns where the running split goes on; nullptr: it waits.
#pragma once

#include "machine/grid.hpp"

namespace emu::exec {

const Instr* meet_lanes(Warp& warp, const Instr& in, LaneMask on);
const Instr* meet_warps(Warp& warp, const Instr& in, LaneMask on);
const Instr* meet_blocks(Warp& warp, const Instr& in, LaneMask on);

// Lanes have exited: nobody waits for them any more.
void lanes_gone(Warp& warp);

}  // namespace emu::exec
