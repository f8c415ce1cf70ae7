// SPDX-License-Identifier: MIT
// Exercise count_atomics: how long are the queues of three sums?
//
// n elements, at least 1; blocks of `block` threads. Only per_thread has a fixed number of blocks.
#pragma once

struct Queues {
  unsigned global_atomic;  // additions to *total by global_atomic
  unsigned shared_atomic;  // additions to *total by shared_atomic
  unsigned in_a_block;     // additions to block_total by shared_atomic, in the block that has most
  unsigned per_thread;     // additions to *total by per_thread
};

constexpr Queues queues_of(unsigned n, unsigned block, unsigned blocks_of_per_thread) {
  // TODO: this is right for the first of the four only.
  return {n, n, n, n};
}
