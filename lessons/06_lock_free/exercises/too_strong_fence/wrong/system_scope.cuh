// SPDX-License-Identifier: MIT
// Wrong: right, but ordered for the CPU and other GPUs too, which do not take part.
#pragma once

#include <cstddef>
#include <cuda/atomic>

constexpr std::size_t kChunk = 256;
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

__device__ void make(const int* x, std::size_t begin, std::size_t end, int* middle,
                     unsigned& ready) {
  for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) middle[i] = 3 * x[i] + 1;
  __syncthreads();
  if (threadIdx.x == 0) Flag(ready).store(1, cuda::memory_order_release);
}

__device__ void use(const int* middle, std::size_t begin, std::size_t end, int* y,
                    unsigned& ready) {
  if (threadIdx.x == 0)
    while (Flag(ready).load(cuda::memory_order_acquire) == 0) __nanosleep(64);
  __syncthreads();
  for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x)
    y[i] = middle[begin + end - 1 - i];
}

__global__ void relay(const int* x, std::size_t n, int* middle, unsigned* ready, int* y) {
  const std::size_t chunk = blockIdx.x / 2, begin = chunk * kChunk;
  const std::size_t end = begin + kChunk < n ? begin + kChunk : n;
  if (blockIdx.x % 2 == 0)
    make(x, begin, end, middle, ready[chunk]);
  else
    use(middle, begin, end, y, ready[chunk]);
}
