// SPDX-License-Identifier: MIT
// Wrong: who finds the stack full or empty keeps the lock.
#pragma once

#include <cuda/atomic>

constexpr unsigned kNone = 0xffffffffu;

struct Node {
  unsigned next;
  int value;
};

struct Stack {
  using Word = unsigned long long;
  using List = cuda::atomic_ref<Word, cuda::thread_scope_device>;
  using Next = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

  Word* top;
  Word* free;
  Node* nodes;
  unsigned capacity;
  unsigned* spare;  // two words that are 0, for another design; not needed

  __device__ void lock() {
    while (Next(spare[0]).exchange(1, cuda::memory_order_acquire) != 0) __nanosleep(32);
  }
  __device__ void unlock() { Next(spare[0]).store(0, cuda::memory_order_release); }

  __device__ bool push(int value) {
    lock();
    const bool room = spare[1] < capacity;
    if (!room) return false;
    if (room) nodes[spare[1]++].value = value;
    unlock();
    return room;
  }

  __device__ bool pop(int& value) {
    lock();
    const bool any = spare[1] > 0;
    if (!any) return false;
    if (any) value = nodes[--spare[1]].value;
    unlock();
    return any;
  }
};
