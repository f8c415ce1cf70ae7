// SPDX-License-Identifier: MIT
// How the memory system serves one access of a warp: the rules behind the counters. Pure functions
// of 32 addresses.
//
// Global memory moves in sectors of 32 bytes, four to a line of 128. Shared memory has 32 banks of
// 4 bytes, and a pass through them (a wavefront) takes one word from each. Local memory is laid out
// so that the same word of 32 threads lies side by side.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "machine/observer.hpp"

namespace emu::observe {

inline constexpr std::uint32_t kSectorBytes = 32, kLineSectors = 4, kBanks = 32, kWarpLanes = 32;

inline constexpr std::uint32_t kNearBytes = 64 * kSectorBytes;

// The addresses of the lanes that are on, in their order, and the first of them again for the rest; returns how many there are.
inline std::uint32_t gather_addresses(const MemoryAccess& access, std::uint64_t* out) {
  if (access.mask == 0xffffffffu) {
    std::copy_n(access.addresses, kWarpLanes, out);
    return kWarpLanes;
  }
  std::fill_n(out, kWarpLanes, access.addresses[std::countr_zero(access.mask)]);
  std::uint32_t n = 0;
  for (LaneMask m = access.mask; m; m &= m - 1) out[n++] = access.addresses[std::countr_zero(m)];
  return n;
}

// The different sectors that a warp touches, as numbers (address / 32): a run of `count` from
// `first` on, the bits of `near` counted from `first` on (a multiple of 64), or a list.
struct Sectors {
  enum class Form : std::uint8_t { Run, Near, List } form = Form::Run;
  std::uint32_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t near = 0;
  std::array<std::uint64_t, kWarpLanes> list;
};
struct GlobalCost {
  std::uint32_t sectors = 0;
  std::uint32_t lines = 0;   // of 128 bytes
  std::uint32_t ideal = 0;   // sectors that the lanes would fill side by side, where that is fewer
  std::uint32_t places = 0;  // different addresses
  bool in_order = false;     // some lanes of those that would lie side by side
};
// For accesses of at most 32 bytes per lane, at their natural alignment.
GlobalCost global_cost(const MemoryAccess& access, Sectors& out);
inline bool is_atomic(AccessKind kind) {
  return kind == AccessKind::Atomic || kind == AccessKind::Reduction;
}

// What a store writes of each sector, for lanes that do not name the same address.
struct WrittenPart {
  std::uint64_t sector;
  std::uint32_t bytes;
};
std::span<const WrittenPart> written_parts(const MemoryAccess& access,
                                           std::array<WrittenPart, kWarpLanes>& room);
// The same for `lanes` lanes in one aligned stretch of 64 sectors, where it is known which those are
// (`near`, a bit each) and how many different addresses there are.
GlobalCost near_cost(std::uint64_t address, std::uint64_t near, std::uint32_t lanes,
                     std::uint32_t bytes, std::uint32_t places, Sectors& out);
// Sectors that the cache passes on for an atomic: lanes on one address follow each other, so a sector
// is sent as often as the address in it that most lanes name.
std::uint32_t atomic_sectors(const MemoryAccess& access);

// Sectors of an access to local memory, whose addresses are offsets in each thread's own.
std::uint32_t local_sectors(const MemoryAccess& access);

// Passes through the banks of shared memory. A warp is served in one phase where a lane takes up to
// 4 bytes, in two (its halves) at 8 and in four (its quarters) at 16. The two phases of a load, or of
// each half of one with four, become one where each lane names the address of its neighbour
// (lane ^ 1), or each that of the next but one (lane ^ 2). A phase needs as many passes as the most different words in one bank, since lanes
// that name the same word share it; atomics do not share, so theirs are the most lanes in one bank.
struct SharedCost {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;   // what the lanes would need side by side, where that is fewer
  std::uint32_t places = 0;  // different addresses
};
SharedCost shared_cost(const MemoryAccess& access);

// The same for an access to global memory that finds its data in L1, which has the same banks.
std::uint32_t bank_passes(const MemoryAccess& access);

// How many different addresses the lanes name.
std::uint32_t different_places(const MemoryAccess& access);

// The different addresses of an access, with how many lanes named each.
struct Addresses {
  std::uint32_t count = 0;
  std::uint32_t most = 0;  // lanes on one of them
  std::array<std::uint64_t, kWarpLanes> address;
  std::array<std::uint8_t, kWarpLanes> lanes;
};
void group_addresses(const MemoryAccess& access, Addresses& out);
// For each of them, how often its sector is sent for it that was not sent yet for those before; returns the sum.
std::uint32_t sector_passes(const Addresses& groups, std::array<std::uint8_t, kWarpLanes>& passes);

}  // namespace emu::observe
