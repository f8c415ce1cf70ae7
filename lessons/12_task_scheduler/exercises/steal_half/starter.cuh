// SPDX-License-Identifier: MIT
// Exercise steal_half: many thieves share what lies in one queue. Each takes half of what is left.
#pragma once

// Both ends of a queue in one word: the tasks from the lower half (head) to the upper half (tail) are still there.
using Ends = unsigned long long;
__device__ inline unsigned head_of(Ends e) { return static_cast<unsigned>(e); }
__device__ inline unsigned tail_of(Ends e) { return static_cast<unsigned>(e >> 32); }
__device__ inline Ends ends(unsigned head, unsigned tail) { return Ends{tail} << 32 | head; }

// Takes half of the tasks, rounded up, from the head: they are first, first + 1, ... Returns how many; 0: none is left.
__device__ inline unsigned steal_half(Ends* queue, unsigned& first) {
  // TODO: take half, and let nobody else take the same.
  const Ends seen = *queue;
  const unsigned half = (tail_of(seen) - head_of(seen) + 1) / 2;
  first = head_of(seen);
  *queue = ends(first + half, tail_of(seen));
  return half;
}

__global__ void steal_all(Ends* queue, unsigned* visits) {
  unsigned first = 0;
  while (const unsigned count = steal_half(queue, first))
    for (unsigned i = 0; i < count; ++i) atomicAdd(visits + first + i, 1u);
}
