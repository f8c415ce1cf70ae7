// SPDX-License-Identifier: MIT
// Wrong: right once. The next launch finds a ticket that is not 0.
#pragma once

#include <cstddef>
#include <cuda/atomic>

// The sum of 64 threads. All of them have it.
__device__ int block_sum(int mine) {
  __shared__ int of_warp[2];
  mine = __reduce_add_sync(0xffffffffu, mine);
  __syncthreads();  // of_warp may still be read from the call before
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  return of_warp[0] + of_warp[1];
}

__global__ void sum_in_one_launch(const int* x, std::size_t n, int* partial, unsigned* ticket,
                                  int* sum) {
  __shared__ bool is_last;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  int mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
    mine += x[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
    is_last = tickets.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  mine = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) mine += partial[b];
  mine = block_sum(mine);
  if (threadIdx.x == 0) *sum = mine;
}
