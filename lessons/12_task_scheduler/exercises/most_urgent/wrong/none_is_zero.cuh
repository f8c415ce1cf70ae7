// SPDX-License-Identifier: MIT
// Wrong: where no level has tasks, it names the first.
#pragma once

// All 32 lanes; lane l knows how many tasks level l has. `last` is the level that was run last (32: none yet).
// Returns, in all lanes, the level to run next; 32: there are no tasks.
__device__ inline unsigned most_urgent(unsigned size, unsigned last) {
  (void)last;
  const unsigned filled = __ballot_sync(0xffffffff, size > 0);
  return filled != 0 ? __ffs(filled) - 1 : 0;
}

// One warp runs a task in each step; the task may make one of another level.
__global__ void run_by_level(const unsigned* sizes, const unsigned* makes, unsigned steps,
                             unsigned* order) {
  const unsigned lane = threadIdx.x;
  unsigned size = sizes[lane], last = 32;
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned level = most_urgent(size, last);
    if (lane == 0) order[step] = level;
    if (level == 32) continue;
    last = level;
    if (lane == level) --size;
    if (lane == makes[step]) ++size;
  }
}
