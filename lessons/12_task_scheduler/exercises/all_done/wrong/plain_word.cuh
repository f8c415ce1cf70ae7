// SPDX-License-Identifier: MIT
// Wrong: the word is read, changed and written: whoever comes between is forgotten.
#pragma once

// Places are given out in order; kNone: what belongs there is on its way.
constexpr unsigned kNone = 0xffffffff;
struct List {
  unsigned* tasks;
  unsigned *head, *tail;
  unsigned* outstanding;  // 1 before the first task is taken
};

__device__ inline bool take(const List& list, unsigned& task) {
  const unsigned head = atomicAdd(list.head, 0u);
  if (head >= atomicAdd(list.tail, 0u)) return false;
  if (atomicCAS(list.head, head, head + 1) != head) return false;
  while ((task = atomicAdd(list.tasks + head, 0u)) == kNone) {
  }
  return true;
}
__device__ inline void put(const List& list, unsigned task) {
  atomicExch(list.tasks + atomicAdd(list.tail, 1u), task);
}
__device__ inline bool all_done(const List& list) { return atomicAdd(list.outstanding, 0u) == 0; }

// A task has been run; its children are first, first + 1, ...
__device__ inline void hand_over(const List& list, unsigned first, unsigned kids) {
  *list.outstanding += kids;
  for (unsigned i = 0; i < kids; ++i) put(list, first + i);
  atomicSub(list.outstanding, 1u);
}

// Who leaves writes down how many tasks had been run by then.
__global__ void visit_all(const unsigned* first, const unsigned* kids, List list, unsigned* visits,
                          unsigned* ran, unsigned* left_at) {
  while (!all_done(list)) {
    unsigned task = 0;
    if (!take(list, task)) {
      __nanosleep(20);
      continue;
    }
    atomicAdd(visits + task, 1u);
    atomicAdd(ran, 1u);
    hand_over(list, first[task], kids[task]);
  }
  left_at[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(ran, 0u);
}
