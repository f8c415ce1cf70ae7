// SPDX-License-Identifier: MIT
// Wrong: right, but each thread walks through a stretch of its own: the lanes of a warp are far apart.
#pragma once

#include <cstddef>

__global__ void sum_by_fours(const int* x, std::size_t n, int* sum) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int mine = 0;
  const std::size_t fours = n / 4, each = (fours + threads - 1) / threads;
  for (std::size_t i = me * each; i < (me + 1) * each && i < fours; ++i) {
    const int4 four = reinterpret_cast<const int4*>(x)[i];
    mine += (four.x + four.y) + (four.z + four.w);
  }
  if (4 * fours + me < n) mine += x[4 * fours + me];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}
