// SPDX-License-Identifier: MIT
// Exercise scope_between_gpus: one GPU writes numbers into the memory of another one, and tells it.
//
// Launched with one block of 32 threads each, on two GPUs at the same time. The word is 0 at first.
#pragma once

#include <cuda/atomic>

// On the first GPU. `letters` and `word` are memory of the second.
__global__ void send(const int* x, int* letters, unsigned* word, unsigned n) {
  for (unsigned i = threadIdx.x; i < n; i += 32) letters[i] = x[i];
  __syncwarp();
  // <solution>
  if (threadIdx.x == 0)
    cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*word).store(1,
                                                                       cuda::memory_order_release);
  // <starter>
  //| // TODO: right for a block of the same GPU.
  //| if (threadIdx.x == 0)
  //|   cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*word).store(1,
  //|                                                                      cuda::memory_order_release);
  // </solution>
}

// On the second GPU.
__global__ void receive(const int* letters, unsigned* word, int* out, unsigned n) {
  // <solution>
  const cuda::atomic_ref<unsigned, cuda::thread_scope_system> told(*word);
  // <starter>
  //| const cuda::atomic_ref<unsigned, cuda::thread_scope_device> told(*word);
  // </solution>
  while (told.load(cuda::memory_order_acquire) == 0) {
  }
  for (unsigned i = threadIdx.x; i < n; i += 32) out[i] = 2 * letters[i];
}
