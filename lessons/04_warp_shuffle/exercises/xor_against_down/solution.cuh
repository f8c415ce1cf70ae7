// SPDX-License-Identifier: MIT
// Exercise xor_against_down: each element gets the sum of the others in its row of 32.
//
// The kernel is launched with blocks of 128 threads, one thread per element, one warp per row.
// others[i] = sum of the row of x[i], less x[i]. At most five shuffles per warp, no shared memory.
#pragma once

#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void sum_of_others(const int* x, std::size_t n, int* others) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int mine = i < n ? x[i] : 0;
  int sum = mine;
  // <solution>
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(kAllLanes, sum, distance);
  // <starter>
  //| // TODO: after this only lane 0 has the sum of the row. Let every lane have it.
  //| for (unsigned distance = 16; distance > 0; distance /= 2)
  //|   sum += __shfl_down_sync(kAllLanes, sum, distance);
  // </solution>
  if (i < n) others[i] = sum - mine;
}
