// SPDX-License-Identifier: MIT
// Wrong: volatile makes the loop look again, and orders nothing.
#pragma once

#include <cuda/atomic>

struct Mailbox {
  int words[3];
  unsigned ready;
};
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void send(Mailbox& box, const int (&message)[3]) {
  for (int i = 0; i < 3; ++i) box.words[i] = message[i];
  *static_cast<volatile unsigned*>(&box.ready) = 1;
}

__device__ void receive(Mailbox& box, int (&message)[3]) {
  while (*static_cast<volatile unsigned*>(&box.ready) == 0) {
  }
  for (int i = 0; i < 3; ++i) message[i] = box.words[i];
}
