// SPDX-License-Identifier: MIT
// Wrong: there is a version, and nobody counts it up.
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
  static __device__ Word successor(Word seen, unsigned first) { return (seen >> 32) << 32 | first; }

  // A free node, which is then the caller's alone. kNone: there is none.
  __device__ unsigned take() {
    Word seen = Head(*head).load(cuda::memory_order_acquire);
    for (;;) {
      const unsigned first = index_of(seen);
      if (first == kNone) return kNone;
      const unsigned second = Next(next[first]).load(cuda::memory_order_relaxed);
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
