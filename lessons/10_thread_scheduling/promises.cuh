// SPDX-License-Identifier: MIT
// Threads that wait for each other: one kernel for each promise of the CUDA C++ execution model, and for
// what it does not promise. All words are zero at first.
#pragma once

#include "lessons/10_thread_scheduling/arrivals.cuh"
#include "lessons/10_thread_scheduling/signals.cuh"

namespace lesson10 {

struct Words {
  unsigned flag, lock, count, gave_up;
};
// Without a cycle to lose: who gives up is counted.
__device__ inline void note(Words* w, bool waited) {
  if (!waited) atomicAdd(&w->gave_up, 1u);
}

// ---- within a warp

// Even lanes go one way, odd lanes another, and at the barrier all are together again.
template <class Wait>
__global__ void part_and_meet(Words* w, Wait) {
  unsigned v = threadIdx.x;
  if (v % 2 == 0) {
#pragma unroll 1
    for (int i = 0; i < 2; ++i) v = (v ^ v >> 15) * 5 + 1;
  } else {
#pragma unroll 1
    for (int i = 0; i < 3; ++i) v = (v ^ v >> 15) * 3 + 2;
  }
  __syncwarp();
  atomicAdd(&w->count, v);
}

// Lane 0 waits for lane 1. Promised since Volta.
template <class Wait>
__global__ void lane_waits_for_lane(Words* w, Wait wait) {
  if (threadIdx.x == 0) {
    note(w, wait_for(wait, &w->flag));
  } else if (threadIdx.x == 1) {
    raise_word(&w->flag);
  }
}

__device__ inline bool take(unsigned* lock) {
  const bool mine = atomicCAS(lock, 0u, 1u) == 0;
  __threadfence();  // what the last holder wrote
  return mine;
}
__device__ inline void give(unsigned* lock) {
  __threadfence();  // what this one wrote
  atomicExch(lock, 0u);
}

// Every lane takes the same lock. It hung before Volta: who has the lock waited, outside of the loop,
// for those who were still in it.
template <class Wait>
__global__ void lanes_take_a_lock(Words* w, Wait wait) {
  const bool mine = wait([=] { return take(&w->lock); });
  note(w, mine);
  if (!mine) return;
  w->count += 1;
  give(&w->lock);
}
// What worked then, too: one lane of the warp after the other, so that nobody ahead is waited for.
template <class Wait>
__global__ void lanes_take_turns(Words* w, Wait wait) {
  for (unsigned turn = 0; turn < blockDim.x; ++turn) {
    if (threadIdx.x != turn) continue;
    const bool mine = wait([=] { return take(&w->lock); });
    note(w, mine);
    if (!mine) continue;
    w->count += 1;
    give(&w->lock);
  }
}

// A deadlock today, too. Lane 0 waits for a word that lane 1 raises behind a barrier, and that barrier
// waits for lane 0.
template <class Wait>
__global__ void crossed(Words* w, Wait wait) {
  if (threadIdx.x == 0) {
    note(w, wait_for(wait, &w->flag));
    __syncwarp();
  } else {
    __syncwarp();
    if (threadIdx.x == 1) raise_word(&w->flag);
  }
}
// The cure: say it first, then meet.
template <class Wait>
__global__ void uncrossed(Words* w, Wait wait) {
  if (threadIdx.x == 0) {
    note(w, wait_for(wait, &w->flag));
    __syncwarp();
  } else {
    if (threadIdx.x == 1) raise_word(&w->flag);
    __syncwarp();
  }
}
// The other cure: who is awaited need not wait, and a barrier of the others names nobody else.
template <class Wait>
__global__ void without_lane_0(Words* w, Wait wait) {
  if (threadIdx.x == 0) {
    note(w, wait_for(wait, &w->flag));
  } else {
    __syncwarp(0xfffffffeu);
    if (threadIdx.x == 1) raise_word(&w->flag);
  }
}

// The same with two barriers: each lane waits at one before it arrives at the other. With kInOrder one
// of them arrives first, and all is well.
template <bool kInOrder, class Wait>
__global__ void two_barriers(Words* w, Wait wait) {
  __shared__ Mbarrier first, second;
  if (threadIdx.x == 0) {
    init(&first, 1);
    init(&second, 1);
  }
  __syncwarp();
  const auto over = [](Mbarrier* b) { return [b] { return is_over(b, 0); }; };
  if (threadIdx.x == 0) {
    if (kInOrder) arrive(&second);
    note(w, wait(over(&first)));
    if (!kInOrder) arrive(&second);
  } else if (threadIdx.x == 1) {
    note(w, wait(over(&second)));
    arrive(&first);
  }
}

// ---- within a block, a cluster, a grid

// The last thread raises the word, the first one waits for it. Promised for threads of a block and of a
// cluster, and for those of a grid if it was launched cooperatively.
template <class Wait>
__global__ void first_waits_for_last(Words* w, Wait wait) {
  const bool last_block = blockIdx.x == gridDim.x - 1;
  if (last_block && threadIdx.x == blockDim.x - 1) {
    raise_word(&w->flag);
  } else if (threadIdx.x == 0) {
    note(w, wait_for(wait, &w->flag));
  }
}
// Blocks wait for each other in the order in which they have begun. Whoever has an earlier ticket has
// made a step, and will make others.
template <class Wait>
__global__ void by_ticket(Words* w, Wait wait) {
  if (threadIdx.x != 0) return;
  const unsigned ticket = atomicAdd(&w->count, 1u);
  note(w, wait_for(wait, &w->flag, ticket));
  raise_word(&w->flag, ticket + 1);
}

// ---- between launches, and with the host

static __global__ void raises(Words* w) { raise_word(&w->flag); }
static __global__ void raises_for_host(unsigned* word) { raise_for_host(word); }
template <class Wait>
__global__ void waits(Words* w, Wait wait) {
  note(w, wait_for(wait, &w->flag));
}

}  // namespace lesson10
