// SPDX-License-Identifier: MIT
// The virtual time of the process. It moves only when work is done, by amounts that depend on the
// work and the device profile alone: the same program gives the same times on every run and every
// machine. The host's clock plays no part.
#pragma once

#include <cstdint>
#include <optional>

namespace emu::cudart {

// Picoseconds since the process began, so that short work does not round to nothing; 2^64 of them
// are 213 days.
std::uint64_t clock_ps();

// A kernel has run. `modelled_ns` is its time by timing/model.hpp. A kernel that nobody counted
// (no event exists yet that could tell) takes its warp instructions over the issue rate.
void advance_clock_by_kernel(std::uint64_t warp_instructions, std::optional<double> modelled_ns,
                             int device);
// A fixed time + bytes over the DRAM's bandwidth (a copy reads and writes). A copy from or to the
// host takes as long as one on the device: the model knows no PCI Express.
void advance_clock_by_copy(std::uint64_t bytes, int device);
void advance_clock_by_fill(std::uint64_t bytes, int device);
// What lies between two events with nothing between them.
void advance_clock_by_event(int device);
// 100 ns.
void advance_clock_by_host_function();

// The constants are those of devices/timing.hpp. Streams do not overlap.

}  // namespace emu::cudart
