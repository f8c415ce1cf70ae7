// SPDX-License-Identifier: MIT
// Wrong: the sum is right, but lane 0 writes, and lane 0 may not have come.
#pragma once

#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void positive_sums(const int* x, std::size_t n, int* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const int mine = i < n ? x[i] : 0;
  const unsigned who = __ballot_sync(kAllLanes, mine > 0);
  if (mine > 0) {
    const int sum = __reduce_add_sync(who, mine);
    if (lane == 0) sums[i / 32] = sum;
  }
}
