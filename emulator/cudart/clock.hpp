// SPDX-License-Identifier: MIT
// The virtual time of the process. It moves only when work is done, by amounts that depend on the
// work and the device profile alone: the same program gives the same times on every run and every
// machine. The host's clock plays no part.
#pragma once

#include <cstdint>

#include "cudart/runtime.hpp"

namespace emu::cudart {

// Picoseconds since the process began, so that short work does not round to nothing; 2^64 of them
// are 213 days.
std::uint64_t clock_ps();

// advance_clock() in runtime.hpp is the only thing that moves it:
//   Kernel          2000 ns + warp instructions / (4 per SM and cycle) at the SM clock, the whole
//   device busy Memcpy, Memset  1000 ns + bytes / the profile's memory bandwidth (two transfers per
//   memory clock) all others      100 ns
// The counts are plain: no occupancy, no cache, no overlap between streams.

}  // namespace emu::cudart
