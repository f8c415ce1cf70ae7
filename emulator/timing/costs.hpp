// SPDX-License-Identifier: MIT
// The table of costs: what one instruction costs a warp.
#pragma once

#include <cstddef>

#include "machine/code.hpp"
#include "timing/critical_path.hpp"

namespace emu::observe {

struct Cost {
  double issue = 1;  // turns of the scheduler: machine instructions, more where its unit is narrow
  double latency = 0;  // until its result can be used, from its start on
  double stall = 0;    // until the warp goes on
  double passes = 0;
  Unit unit = Unit::None;
  double unit_cycles = 0;
};

// Cycles until an instruction with a predicate, or a branch, knows what a comparison has found, beyond those until another
// one can use it: a chain of setp and a predicated multiplication takes an H200 17.8 each, one of setp and selp 8.
inline constexpr double kGuardLatency = 10;

// `together`: how many lines from DRAM are waited for at the same time.
Cost cost_of(const exec::Instr& at, const WalkInput& in, const Source& source, double together);

// Cycles for which the first-level cache is busy with the lines of one access to global memory: the next one of the warp is
// served behind it.
double pipe_cycles(const exec::Instr& at, const Source& source);

// A divisor is inverted first, as a float: until then the dividend need not be there. Cycles, for this operand of a division.
inline constexpr std::size_t kDivisor = 2;
double inversion(const exec::Instr& at, const devices::Timing& t);

}  // namespace emu::observe
