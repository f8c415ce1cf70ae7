// SPDX-License-Identifier: MIT
// What was counted of one function of a kernel, an entry per instruction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "counters/access_rules.hpp"
#include "counters/caches/l2_page.hpp"
#include "counters/counters.hpp"
#include "machine/warp.hpp"

namespace emu::observe {

// Of an instruction's requests, the shares that find all in L1 and need DRAM; of sectors, that in L1.
struct WhereFound {
  double in_l1 = 0, from_dram = 0, sectors_in_l1 = 0, late = 0;
  double in_step = 1;  // of those that L1 does not have, asked for as soon as by any other warp
  // Sectors that a request which needs DRAM needs from there; stores that go to L2 as one.
  double missed = 0, merged = 1;
};

// Accesses of full warps to whole lines of global memory, which are all the same: how many; and of all accesses, how many
// needed something from DRAM.
struct Lines {
  std::uint64_t accesses = 0, from_dram = 0;
  std::uint64_t missed = 0;  // sectors that those needed
  L2Asked asked;
  std::uint32_t bytes_per_lane = 0;
  AccessKind kind = AccessKind::Load;

  void add(std::uint32_t sectors_missed) {
    if (sectors_missed == 0) return;
    ++from_dram;
    missed += sectors_missed;
  }
};

struct CodeCounts {
  const exec::Code* code = nullptr;
  std::span<const Tally> tally;
  std::span<const Counts> counts;
  std::vector<WhereFound> found;  // where its loads from global memory find their data
};

}  // namespace emu::observe
