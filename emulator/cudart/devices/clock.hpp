// SPDX-License-Identifier: MIT
// The virtual time of the process. It moves only when work is done, by amounts that depend on the
// work and the device profile alone: the same program gives the same times on every run and every
// machine. The host's clock plays no part.
#pragma once

#include <cstdint>
#include <optional>

#include "cudart/calls/runtime.hpp"

namespace emu::cudart {

// Picoseconds since the process began, so that short work does not round to nothing; 2^64 of them
// are 213 days.
std::uint64_t clock_ps();

// A kernel has run. `modelled_ns` is its time by timing/model.hpp. A kernel that nobody counted
// (no event exists yet that could tell) takes its warp instructions over the issue rate.
void advance_clock_by_kernel(std::uint64_t warp_instructions, std::optional<double> modelled_ns,
                             int device);

// Everything else moves it by advance_clock() in runtime.hpp, with the constants of
// devices/timing.hpp:
//   Memcpy, Memset  a fixed time + bytes over the DRAM's bandwidth (a copy reads and writes)
//   EventRecord     what lies between two events with nothing between them
//   all others      100 ns
// Streams do not overlap. A copy from or to the host takes as long as one on the device: the model
// knows no PCI Express.

}  // namespace emu::cudart
