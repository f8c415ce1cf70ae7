// SPDX-License-Identifier: MIT
// How long one warp takes through a function if nobody is in its way: a walk over the instructions
// in their order, with the time at which each register is there. What the compiler behind the PTX
// would do is guessed: a table of how many machine instructions each one becomes, and loads are moved
// up as far as their address, the block they are in and what is stored before them allow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "devices/timing.hpp"
#include "machine/observer.hpp"
#include "machine/warp.hpp"

namespace emu::observe {

// Where the loads of an instruction find their data.
struct Source {
  enum class Place : std::uint8_t { Global, Shared, Cluster } place = Place::Global;
  // Of the requests to global memory, the shares that find everything in L1 and that need DRAM.
  double in_l1 = 0, from_dram = 1;
  // Lines that a request names, on average: they are looked up one after the other. And those that one which needs DRAM
  // wants from there.
  double tags = 1, far_lines = 1;
  double lines = 0;     // the same for global memory alone, and for stores as well
  double matched = 32;  // different values in a match, on average
  double merged = 1;    // stores that go to L2 as one
  // Local memory that the compiler does without (local_arrays()): an access to one of its words.
  bool spared = false, in_registers = false;
  double chosen = 0;
  bool joined = false;  // a load that another one brings (joined_loads()): no instruction
};

// What must be known of a launch to walk through its code.
struct WalkInput {
  const devices::Timing* timing = nullptr;
  std::uint32_t block_warps = 1;
  double shared_passes = 1;  // of an access to shared memory, on average
  double constants_near =
      1;  // the share of what is read of constant memory that a multiprocessor's own cache holds
  bool in_step = false;  // warps come to barriers
  std::span<const Source> sources;
};

// Units of a multiprocessor that take a warp in more than one cycle.
enum class Unit : std::uint8_t { None, Integer, Product, Special, Double, Constant, Count };
inline constexpr std::size_t kUnits = static_cast<std::size_t>(Unit::Count);

struct Step {
  double cycles = 0;  // that it adds to the warp's way, each time
  double trips = 1;   // how often a warp that comes this way executes it: the loops around it
  double once = 1;    // 1, or less: executions while waiting for others, which do not count
  double issue = 0;   // machine instructions
  Unit unit = Unit::None;
  double unit_cycles = 0;      // that a scheduler's part of a unit narrower than a warp is busy
  bool hammers = false;        // in a loop that asks by atomics, without a pause
  bool awaits_blocks = false;  // in a loop that asks global memory for what other blocks do
  bool held = false;           // while a lock is held (sections.hpp)
  bool gives = false;          // ... which it gives back
  double passes = 0;  // through the pipe of shared memory and shuffles, besides its wavefronts
};

// A step for every instruction; those that never ran stay empty.
std::vector<Step> walk(const exec::Code& code, std::span<const Tally> tally, const WalkInput& in);

}  // namespace emu::observe
