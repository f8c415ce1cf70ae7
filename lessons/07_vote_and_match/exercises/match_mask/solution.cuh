// SPDX-License-Identifier: MIT
// Exercise match_mask: count keys, one atomic for each different key of a warp.
//
// Launched with blocks of 128 threads, one thread per element; counts is 0 before.
#pragma once

#include <cstddef>

__global__ void count_by_key(const unsigned* keys, std::size_t n, unsigned bins, unsigned* counts) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned key = i < n ? keys[i] : 0xffffffffu;
  __shared__ unsigned table[64];
  if (threadIdx.x < 64) table[threadIdx.x] = 0;
  __syncthreads();
  // <solution>
  const unsigned mine = key < bins ? key : 0xffffffffu;
  const unsigned same = __match_any_sync(0xffffffffu, mine);
  if (key < bins && threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(table + key, __popc(same));
  // <starter>
  //| if (key < bins) {
  //|   // TODO: this mask names lanes that are not here.
  //|   const unsigned same = __match_any_sync(0xffffffffu, key);
  //|   if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(table + key, __popc(same));
  //| }
  // </solution>
  __syncthreads();
  if (threadIdx.x < bins && table[threadIdx.x] > 0)
    atomicAdd(counts + threadIdx.x, table[threadIdx.x]);
}
