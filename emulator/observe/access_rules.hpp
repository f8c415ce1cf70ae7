// SPDX-License-Identifier: MIT
// How the memory system serves one access of a warp: the rules behind the counters. Pure functions
// of 32 addresses.
//
// Global memory moves in sectors of 32 bytes, four to a line of 128. Shared memory has 32 banks of
// 4 bytes, and a pass through them (a wavefront) takes one word from each. Local memory is laid out
// so that the same word of 32 threads lies side by side.
#pragma once

#include <array>
#include <cstdint>

#include "observe/observer.hpp"

namespace emu::observe {

inline constexpr std::uint32_t kSectorBytes = 32, kLineSectors = 4, kBanks = 32, kWarpLanes = 32;

// The different sectors that a warp touches. Consecutive ones are kept as the first alone.
struct Sectors {
  std::uint32_t count = 0;
  bool consecutive = false;
  std::array<std::uint64_t, 2 * kWarpLanes> id;  // address / 32; only [0] where consecutive
};
// For accesses of at most 32 bytes per lane, at their natural alignment.
void find_sectors(const MemoryAccess& access, Sectors& out);
// The different 128-byte lines among them.
std::uint32_t count_lines(const Sectors& sectors);
// Sectors that the different bytes of an access would fill if they lay side by side.
std::uint32_t ideal_sectors(const MemoryAccess& access);

// Sectors of an access to local memory, whose addresses are offsets in each thread's own.
std::uint32_t local_sectors(const MemoryAccess& access);

// Passes through the banks of shared memory. A warp is served in one phase where a lane takes up to
// 4 bytes, in two (its halves) at 8 and in four (its quarters) at 16; each phase needs as many
// passes as the most different words in one bank. Lanes that read the same word share it.
std::uint32_t shared_wavefronts(const MemoryAccess& access);
std::uint32_t ideal_wavefronts(const MemoryAccess& access);

// The different addresses of an access, with how many lanes named each.
struct Addresses {
  std::uint32_t count = 0;
  std::uint32_t most = 0;  // lanes on one of them
  std::array<std::uint64_t, kWarpLanes> address;
  std::array<std::uint8_t, kWarpLanes> lanes;
};
void group_addresses(const MemoryAccess& access, Addresses& out);

}  // namespace emu::observe
