// SPDX-License-Identifier: MIT
// Wrong: the place is reserved by an atomic, the value comes later: a pop may be there before it.
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

  __device__ bool push(int value) {
    const unsigned place = atomicAdd(spare, 1u);
    if (static_cast<int>(place) < static_cast<int>(capacity)) {
      nodes[place].value = value;
      return true;
    }
    atomicSub(spare, 1u);
    return false;
  }

  __device__ bool pop(int& value) {
    const unsigned place = atomicSub(spare, 1u) - 1;
    if (static_cast<int>(place) >= 0) {
      value = nodes[place].value;
      return true;
    }
    atomicAdd(spare, 1u);
    return false;
  }
};
