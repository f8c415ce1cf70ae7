// SPDX-License-Identifier: MIT
// Wrong: the slot is never given back: after one round the queue is full for ever.
#pragma once

#include <cuda/atomic>

struct Slot {
  unsigned turn;
  int value;
};

struct Queue {
  using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

  unsigned* head;
  unsigned* tail;
  Slot* slots;
  unsigned capacity;

  // False: the queue is full.
  __device__ bool push(int value) {
    unsigned number = Word(*tail).load(cuda::memory_order_relaxed);
    for (;;) {
      Slot& slot = slots[number % capacity];
      const unsigned mine = 2 * (number / capacity);
      const unsigned turn = Word(slot.turn).load(cuda::memory_order_acquire);
      if (turn == mine) {  // free for this number: whoever moves the tail has it
        if (Word(*tail).compare_exchange_strong(number, number + 1, cuda::memory_order_relaxed)) {
          slot.value = value;
          Word(slot.turn).store(mine + 1, cuda::memory_order_release);
          return true;
        }
      } else if (turn < mine) {  // the element of the round before is still in there
        return false;
      } else {  // somebody else pushed this number: what is the tail now?
        number = Word(*tail).load(cuda::memory_order_relaxed);
      }
    }
  }

  // False: the queue is empty.
  __device__ bool pop(int& value) {
    unsigned number = Word(*head).load(cuda::memory_order_relaxed);
    for (;;) {
      Slot& slot = slots[number % capacity];
      const unsigned mine = 2 * (number / capacity) + 1;
      const unsigned turn = Word(slot.turn).load(cuda::memory_order_acquire);
      if (turn == mine) {  // filled for this number
        if (Word(*head).compare_exchange_strong(number, number + 1, cuda::memory_order_relaxed)) {
          value = slot.value;
          return true;
        }
      } else if (turn < mine) {  // nobody has pushed this number yet
        return false;
      } else {  // somebody else popped this number
        number = Word(*head).load(cuda::memory_order_relaxed);
      }
    }
  }
};
