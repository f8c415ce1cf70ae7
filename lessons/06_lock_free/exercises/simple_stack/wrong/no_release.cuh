// SPDX-License-Identifier: MIT
// Wrong: the node is in the list, and its value may not be there yet.
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

  // False: full, no node is free.
  __device__ bool push(int value) {
    const unsigned node = take(free);
    if (node == kNone) return false;
    nodes[node].value = value;  // the node is ours alone
    give(top, node);
    return true;
  }

  // False: empty.
  __device__ bool pop(int& value) {
    const unsigned node = take(top);
    if (node == kNone) return false;
    value = nodes[node].value;
    give(free, node);
    return true;
  }

  // The first node of a list, which is then ours. kNone: the list is empty.
  __device__ unsigned take(Word* list) {
    Word seen = List(*list).load(cuda::memory_order_acquire);
    for (;;) {
      const unsigned first = static_cast<unsigned>(seen);
      if (first == kNone) return kNone;
      const unsigned second = Next(nodes[first].next).load(cuda::memory_order_relaxed);
      if (List(*list).compare_exchange_strong(seen, successor(seen, second),
                                              cuda::memory_order_acquire))
        return first;
    }
  }

  // Our node becomes the first one of a list.
  __device__ void give(Word* list, unsigned node) {
    Word seen = List(*list).load(cuda::memory_order_relaxed);
    do {
      Next(nodes[node].next).store(static_cast<unsigned>(seen), cuda::memory_order_relaxed);
    } while (!List(*list).compare_exchange_strong(
        seen, successor(seen, node), cuda::memory_order_relaxed, cuda::memory_order_relaxed));
  }

  // The list with another first node: the version counts every change.
  static __device__ Word successor(Word seen, unsigned first) {
    return ((seen >> 32) + 1) << 32 | first;
  }
};
