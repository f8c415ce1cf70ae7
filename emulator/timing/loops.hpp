// SPDX-License-Identifier: MIT
// The loops of a function as it was executed: how often they go round, what a round takes from the one
// before, and which of them only wait for others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/observer.hpp"
#include "machine/warp.hpp"
#include "timing/critical_path.hpp"

namespace emu::observe {

// A register that a round of a loop takes from the round before.
struct Carried {
  std::uint32_t reg = 0;
  std::size_t first = 0;  // the instruction that needs it first
};
struct Loop {
  std::size_t end = 0;       // behind its last instruction; 0: none begins here
  double back = 0;           // lanes that went round again
  double entered = 1;        // warps that came from outside
  bool waits = false;        // for what others write
  std::size_t barrier = 0;   // where the warps of a block meet most often; 0: nowhere
  bool asks_memory = false;  // ... in global memory
  bool hammers = false;      // ... by atomics, without a pause
  double looks = 1;          // in a round, of which one is enough
  std::vector<Carried> carried;
  double trips =
      1;  // how often a warp that enters it goes round: as often as the lane that does most
  bool even = true;  // ... and all others do it as often
  // The compiler behind the PTX makes one round of several: so many, and so many rounds, on average, are one of these.
  double unrolled = 1, rounds_in_one = 1;
  bool overlaps = false;  // loads of the next rounds can be asked for in this one
};

// An entry per instruction, at the first one of each loop.
std::vector<Loop> find_loops(const exec::Code& code, std::span<const Tally> tally);
void find_carried(const exec::Code& code, std::span<const Tally> tally, std::size_t head,
                  Loop& loop);
// Of each load, how many lines from DRAM are waited for at the same time: its own, and those of loads of its block, or of the
// rounds that are unrolled with it, which wait for as many loads before them as it does.
std::vector<double> far_lines_together(const exec::Code& code, std::span<const Tally> tally,
                                       std::span<const Source> sources,
                                       const std::vector<Loop>& loops);
// How often a warp that comes that way executes each instruction, by the loops around it.
void count_trips(std::span<const Loop> loops, std::span<const Tally> tally, double block_warps,
                 std::vector<Step>& steps);

}  // namespace emu::observe
