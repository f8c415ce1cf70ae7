// SPDX-License-Identifier: MIT
// Which stores of a warp, one right behind the other, go to L2 as one.
#pragma once

namespace emu::observe {

// How the stores of a launch come.
struct Storing {
  bool reads = false;     // loads keep the warps apart
  double warps = 1;       // that run on a multiprocessor at a time
  double lines_each = 0;  // that each of them stores to, one store behind the other
};

// Of stores for so many lines each, the share of those to sectors that the one before has stored to which go with it. The more
// lines, the fewer do, since few others may come in between. Loads keep the warps apart, as long as all those that run
// on a multiprocessor store to few lines together; without loads they come at the same time from the first. The shares are from
// 700 launches of 2 to 8 stores to structures of 2 to 32 words, in one to 64 warps of a multiprocessor, as Nsight
// Compute saw them on an H200 (lts__t_sectors_srcunit_tex_op_write).
double go_together(double lines, const Storing& how);

// The share of such a store's lines that L1 does not find, although a store right before it has stored to them, or a load has
// read them before that. From the same launches. Eight lines are hardest to find.
struct NotFound {
  double stored = 0, read = 0;
};
NotFound not_found_right_behind(double lines, double warps);

}  // namespace emu::observe
