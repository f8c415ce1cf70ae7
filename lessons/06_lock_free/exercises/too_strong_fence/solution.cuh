// SPDX-License-Identifier: MIT
// Exercise too_strong_fence: blocks hand chunks of an array over to other blocks.
//
// Launched with two blocks of 64 threads for each chunk of 256 elements: block 2 * c makes chunk c
// of `middle`, block 2 * c + 1 reads it and makes chunk c of y. ready[c] is 0 before. What is there
// is right, and has many times more order than it needs.
#pragma once

#include <cstddef>
#include <cuda/atomic>

constexpr std::size_t kChunk = 256;
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void make(const int* x, std::size_t begin, std::size_t end, int* middle,
                     unsigned& ready) {
  // <solution>
  for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) middle[i] = 3 * x[i] + 1;
  __syncthreads();
  if (threadIdx.x == 0) Flag(ready).store(1, cuda::memory_order_release);
  // <starter>
  //| // TODO: which of these orders does the other block need?
  //| for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
  //|   middle[i] = 3 * x[i] + 1;
  //|   __threadfence_system();
  //| }
  //| __syncthreads();
  //| if (threadIdx.x == 0) Flag(ready).store(1, cuda::memory_order_seq_cst);
  // </solution>
}

__device__ void use(const int* middle, std::size_t begin, std::size_t end, int* y,
                    unsigned& ready) {
  // <solution>
  if (threadIdx.x == 0)
    while (Flag(ready).load(cuda::memory_order_acquire) == 0) __nanosleep(64);
  __syncthreads();
  for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x)
    y[i] = middle[begin + end - 1 - i];
  // <starter>
  //| // TODO: and which does this block need?
  //| while (Flag(ready).load(cuda::memory_order_seq_cst) == 0) __nanosleep(64);
  //| for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
  //|   __threadfence();
  //|   y[i] = middle[begin + end - 1 - i];
  //| }
  // </solution>
}

__global__ void relay(const int* x, std::size_t n, int* middle, unsigned* ready, int* y) {
  const std::size_t chunk = blockIdx.x / 2, begin = chunk * kChunk;
  const std::size_t end = begin + kChunk < n ? begin + kChunk : n;
  if (blockIdx.x % 2 == 0)
    make(x, begin, end, middle, ready[chunk]);
  else
    use(middle, begin, end, y, ready[chunk]);
}
