// SPDX-License-Identifier: MIT
// Exercise ring_slot: a bounded queue, first in, first out, for many threads. push is there.
//
// Element number t (0, 1, 2, ...) goes through slot t % capacity, in round t / capacity. A slot has
// a turn: 2 * round while it is free for that round's push, one more when it is filled for that
// round's pop. Before, all turns are 0, and so are head and tail: the next numbers to pop and push.
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
    // TODO: the other end. Which turn has a slot that is filled for this number, and which one
    // must it have afterwards?
    return false;
  }
};
