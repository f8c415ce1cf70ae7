// SPDX-License-Identifier: MIT
// Exercise message_passing: three words go from a thread of one block to a thread of another.
//
// A mailbox is used for one message. Before, `ready` is 0 and the words are 0. send() is called by
// one thread of block 0, receive() by one thread of block 1, at the same time or in any order.
#pragma once

#include <cuda/atomic>

struct Mailbox {
  int words[3];
  unsigned ready;
};
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

// Leaves the message in the box and says that it is there.
__device__ void send(Mailbox& box, const int (&message)[3]) {
  // <solution>
  for (int i = 0; i < 3; ++i) box.words[i] = message[i];
  Flag(box.ready).store(1, cuda::memory_order_release);
  // <starter>
  //| // TODO: write the words; then raise the flag, so that whoever sees it sees the words.
  //| box.words[0] = message[0];
  // </solution>
}

// Waits for the message and takes it.
__device__ void receive(Mailbox& box, int (&message)[3]) {
  // <solution>
  while (Flag(box.ready).load(cuda::memory_order_acquire) == 0) {
  }
  // <starter>
  //| // TODO: wait for the flag, so that the words read below are those of the message.
  // </solution>
  for (int i = 0; i < 3; ++i) message[i] = box.words[i];
}
