// SPDX-License-Identifier: MIT
// Exercise aba: a pool of nodes. The free ones are a list of indices; any thread takes and gives.
//
// Before, the lower 32 bits of *head are the index of the first free node and the upper 32 are 0.
// next[i] is the free node behind node i; kNone ends the list. An index may have all 32 bits.
#pragma once

#include <cuda/atomic>

constexpr unsigned kNone = 0xffffffffu;

struct Pool {
  using Word = unsigned long long;
  using Head = cuda::atomic_ref<Word, cuda::thread_scope_device>;
  using Next = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

  Word* head;
  unsigned* next;

  static __device__ unsigned index_of(Word word) { return static_cast<unsigned>(word); }

  // What *head becomes when `first` is to be the first free node, and it was `seen` before.
  static __device__ Word successor(Word seen, unsigned first) {
    // Its lower half is the index.
    return first;
  }

  // A free node, which is then the caller's alone. kNone: there is none.
  __device__ unsigned take() {
    Word seen = Head(*head).load(cuda::memory_order_acquire);
    for (;;) {
      const unsigned first = index_of(seen);
      if (first == kNone) return kNone;
      const unsigned second = Next(next[first]).load(cuda::memory_order_relaxed);
      // TODO: the head is `first` here. Was it `first` all the time?
      if (Head(*head).compare_exchange_strong(seen, successor(seen, second),
                                              cuda::memory_order_acquire))
        return first;
    }
  }

  // The caller's node is free again.
  __device__ void give(unsigned node) {
    Word seen = Head(*head).load(cuda::memory_order_relaxed);
    do {
      Next(next[node]).store(index_of(seen), cuda::memory_order_relaxed);
    } while (!Head(*head).compare_exchange_strong(
        seen, successor(seen, node), cuda::memory_order_release, cuda::memory_order_relaxed));
  }
};
