// SPDX-License-Identifier: MIT
// What Nsight Compute counts as looked up in the L2 cache, from what a launch asked it for. The cache has two
// halves, and each sector is at home in one of them: a multiprocessor asks its own half, and where the sector is
// at home in the other one, that is asked too. So a sector may be counted twice, and missed twice.
#pragma once

namespace emu::observe {

// Sectors, unless it says otherwise.
struct L2Traffic {
  double loads = 0;            // that L1 asks for
  double with_others = 0;      // of those: for which another multiprocessor has just asked
  double stores = 0;           // that are sent, atomics among them
  double missed = 0;           // not in L2
  double on_their_way = 0;     // from DRAM, when they are asked for
  double asked_again = 0;      // not in the half that was asked, and looked for in the other
  double came_along = 0;       // with those, as the other sector of a pair, and found there
  double multiprocessors = 1;  // that have something to do
  double slices = 0;           // of L2, that each of them asks
  double fences = 0;           // that it comes to on its way, one after the other
  double filled = 0;  // too many were written in part: so many had to be read from DRAM to be whole
  double filled_early = 0;  // of those: while their own warp was at them
  double written_back = 0;  // have left for DRAM, those among them
  double waiting = 0;       // that the launch before has filled up and not yet written to DRAM
};

struct L2Lookups {
  double asked = 0;  // by multiprocessors
  double all = 0, missed = 0;
  double filled = 0;   // were written in part, and read from DRAM to be whole
  double written = 0;  // to DRAM, until the launch ends
  double waiting = 0;  // for that, of those that were filled up
};

// What blocks that run at the same time have to do with each other.
struct InStep {
  double blocks_each = 1;  // of a multiprocessor
  bool one_wave = true;
  double from_dram = 0;  // the share of what is read that comes from there
  // What the lanes of a warp read: words that lie together, one that is the same for all, or words from all over memory; and
  // how many bytes.
  enum class Words { Together, One, Scattered } words = Words::Together;
  double bytes = 4;
};
// Of loads that so many blocks could ask for as one, the share that L2 is not asked for.
double asked_with_others(double as_one, const InStep& blocks);

L2Lookups l2_lookups(const L2Traffic& t);

}  // namespace emu::observe
