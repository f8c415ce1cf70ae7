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
  // <solution>
  Queues queues{};
  queues.global_atomic = n;
  queues.shared_atomic = (n + block - 1) / block;
  queues.in_a_block = n < block ? n : block;
  queues.per_thread = blocks_of_per_thread * block;
  return queues;
  // <starter>
  //| // TODO: this is right for the first of the four only.
  //| return {n, n, n, n};
  // </solution>
}
