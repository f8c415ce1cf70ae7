// SPDX-License-Identifier: MIT
// Wrong: the number of fours is rounded up, so the last one reaches past the end.
#pragma once

#include <cstddef>

__global__ void sum_by_fours(const int* x, std::size_t n, int* sum) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int mine = 0;
  for (std::size_t i = me; i < (n + 3) / 4; i += threads) {
    const int4 four = reinterpret_cast<const int4*>(x)[i];
    mine += (four.x + four.y) + (four.z + four.w);
  }
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}
