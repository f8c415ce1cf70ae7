// SPDX-License-Identifier: MIT
// What was counted of one function of a kernel, an entry per instruction.
#pragma once

#include <span>
#include <vector>

#include "counters/counters.hpp"
#include "machine/warp.hpp"

namespace emu::observe {

// Of an instruction's requests, the shares that find all in L1 and need DRAM; of sectors, that in L1.
struct WhereFound {
  double in_l1 = 0, from_dram = 0, sectors_in_l1 = 0, late = 0;
  // Sectors that a request which needs DRAM needs from there; stores that go to L2 as one.
  double missed = 0, merged = 1;
};

struct CodeCounts {
  const exec::Code* code = nullptr;
  std::span<const Tally> tally;
  std::span<const Counts> counts;
  std::vector<WhereFound> found;  // where its loads from global memory find their data
};

}  // namespace emu::observe
