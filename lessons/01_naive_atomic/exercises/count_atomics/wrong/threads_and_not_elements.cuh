// SPDX-License-Identifier: MIT
// Wrong: a thread past the end does not add. There are as many additions as elements.
#pragma once

struct Queues {
  unsigned global_atomic;  // additions to *total by global_atomic
  unsigned shared_atomic;  // additions to *total by shared_atomic
  unsigned in_a_block;     // additions to block_total by shared_atomic, in the block that has most
  unsigned per_thread;     // additions to *total by per_thread
};

constexpr Queues queues_of(unsigned n, unsigned block, unsigned blocks_of_per_thread) {
  Queues queues{};
  queues.global_atomic = (n + block - 1) / block * block;
  queues.shared_atomic = (n + block - 1) / block;
  queues.in_a_block = n < block ? n : block;
  queues.per_thread = blocks_of_per_thread * block;
  return queues;
}
