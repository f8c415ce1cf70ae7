// SPDX-License-Identifier: MIT
// Exercise shuffle_in_a_branch: repair the prefix sums of rows of 32.
//
// The kernel is launched with blocks of 128 threads, one thread per element, one warp per row.
// sums[i] = the sum of the elements of its row up to and with x[i].
#pragma once

#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void row_prefix_sums(const int* x, std::size_t n, int* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int mine = i < n ? x[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    // <solution>
    const int below = __shfl_up_sync(kAllLanes, mine, distance);
    if (lane >= distance) mine += below;
    // <starter>
    //| // TODO: which lanes does the mask name, and which of them come here?
    //| if (lane >= distance) mine += __shfl_up_sync(kAllLanes, mine, distance);
    // </solution>
  }
  if (i < n) sums[i] = mine;
}
