// SPDX-License-Identifier: MIT
// Wrong: the order holds inside of a block, and the two threads are in different ones.
#pragma once

#include <cuda/atomic>

struct Mailbox {
  int words[3];
  unsigned ready;
};
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_block>;

__device__ void send(Mailbox& box, const int (&message)[3]) {
  for (int i = 0; i < 3; ++i) box.words[i] = message[i];
  Flag(box.ready).store(1, cuda::memory_order_release);
}

__device__ void receive(Mailbox& box, int (&message)[3]) {
  while (Flag(box.ready).load(cuda::memory_order_acquire) == 0) {
  }
  for (int i = 0; i < 3; ++i) message[i] = box.words[i];
}
