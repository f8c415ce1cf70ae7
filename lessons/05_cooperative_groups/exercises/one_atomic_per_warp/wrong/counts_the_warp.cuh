// SPDX-License-Identifier: MIT
// Wrong: 32 places for every warp, however many it needs.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>

namespace cg = cooperative_groups;

__global__ void keep_positive(const int* x, std::size_t n, int* kept, unsigned* count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) {
    const auto here = cg::coalesced_threads();
    unsigned first = 0;
    if (here.thread_rank() == 0) first = atomicAdd(count, 32u);
    first = here.shfl(first, 0);
    if (first + here.thread_rank() < n) kept[first + here.thread_rank()] = x[i];
  }
}
