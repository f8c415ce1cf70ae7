// SPDX-License-Identifier: MIT
// Exercise active_mask: repair the sums of the positive elements of rows of 32.
//
// The kernel is launched with blocks of 128 threads, one thread per element, one warp per row.
// sums[r] = the sum of the positive elements of row r; all sums are 0 before.
#pragma once

#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void positive_sums(const int* x, std::size_t n, int* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const int mine = i < n ? x[i] : 0;
  if (mine > 0) {
    // TODO: this tells who is here at this moment. Will no other lane of the row come later?
    const unsigned who = __activemask();
    const int sum = __reduce_add_sync(who, mine);
    const unsigned first = __ffs(who) - 1;
    if (lane == first) sums[i / 32] = sum;
  }
}
