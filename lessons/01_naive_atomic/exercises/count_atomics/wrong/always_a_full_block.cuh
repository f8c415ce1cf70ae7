// SPDX-License-Identifier: MIT
// Wrong: if there are fewer elements than threads, only so many threads add.
#pragma once

struct Queues {
  unsigned global_atomic;  // additions to *total by global_atomic
  unsigned shared_atomic;  // additions to *total by shared_atomic
  unsigned in_a_block;     // additions to block_total by shared_atomic, in the block that has most
  unsigned per_thread;     // additions to *total by per_thread
};

constexpr Queues queues_of(unsigned n, unsigned block, unsigned blocks_of_per_thread) {
  Queues queues{};
  queues.global_atomic = n;
  queues.shared_atomic = (n + block - 1) / block;
  queues.in_a_block = block;
  queues.per_thread = blocks_of_per_thread * block;
  return queues;
}
