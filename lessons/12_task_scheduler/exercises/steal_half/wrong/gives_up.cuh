// SPDX-License-Identifier: MIT
// Wrong: whoever is not the fastest goes home, and tasks stay: nothing is left only when the queue is empty.
#pragma once

// Both ends of a queue in one word: the tasks from the lower half (head) to the upper half (tail) are still there.
using Ends = unsigned long long;
__device__ inline unsigned head_of(Ends e) { return static_cast<unsigned>(e); }
__device__ inline unsigned tail_of(Ends e) { return static_cast<unsigned>(e >> 32); }
__device__ inline Ends ends(unsigned head, unsigned tail) { return Ends{tail} << 32 | head; }

// Takes half of the tasks, rounded up, from the head: they are first, first + 1, ... Returns how many; 0: none is left.
__device__ inline unsigned steal_half(Ends* queue, unsigned& first) {
  const Ends seen = atomicAdd(queue, 0ull);
  const unsigned half = (tail_of(seen) - head_of(seen) + 1) / 2;
  first = head_of(seen);
  return half > 4 && atomicCAS(queue, seen, ends(first + half, tail_of(seen))) == seen ? half : 0;
}

__global__ void steal_all(Ends* queue, unsigned* visits) {
  unsigned first = 0;
  while (const unsigned count = steal_half(queue, first))
    for (unsigned i = 0; i < count; ++i) atomicAdd(visits + first + i, 1u);
}
