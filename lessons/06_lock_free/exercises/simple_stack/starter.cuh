// SPDX-License-Identifier: MIT
// Exercise simple_stack: a stack (last in, first out) that any thread of the grid pushes to and pops
// from. It has a fixed number of nodes.
//
// A list is a 64-bit word: the index of its first node below, kNone if there is none, and 32 bits
// above that are 0 before and yours. nodes[i].next is the node behind node i. Before, no node is in
// the list `top` (the elements), and all are in the list `free`, linked.
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
    // TODO: a free node, the value, and the node is the first element.
    return false;
  }

  // False: empty.
  __device__ bool pop(int& value) {
    // TODO: the first element, its value, and the node is free again.
    return false;
  }

  // The first node of a list, which is then ours. kNone: the list is empty.
  __device__ unsigned take(Word* list) {
    // TODO: others take and give at the same time.
    return kNone;
  }

  // Our node becomes the first one of a list.
  __device__ void give(Word* list, unsigned node) {
    // TODO: whoever finds the node in the list must see its value and its next.
  }
};
