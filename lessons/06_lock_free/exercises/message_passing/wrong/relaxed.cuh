// SPDX-License-Identifier: MIT
// Wrong: the flag is atomic, but nothing orders it and the words.
#pragma once

#include <cuda/atomic>

struct Mailbox {
  int words[3];
  unsigned ready;
};
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void send(Mailbox& box, const int (&message)[3]) {
  for (int i = 0; i < 3; ++i) box.words[i] = message[i];
  Flag(box.ready).store(1, cuda::memory_order_relaxed);
}

__device__ void receive(Mailbox& box, int (&message)[3]) {
  while (Flag(box.ready).load(cuda::memory_order_relaxed) == 0) {
  }
  for (int i = 0; i < 3; ++i) message[i] = box.words[i];
}
