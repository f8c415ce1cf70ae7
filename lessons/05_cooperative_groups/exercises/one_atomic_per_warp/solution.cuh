// SPDX-License-Identifier: MIT
// Exercise one_atomic_per_warp: keep the positive elements, with one atomic per warp.
//
// The kernel is launched with blocks of 128 threads, one thread per element; *count is 0 before.
// kept[0] ... kept[*count - 1] = the positive elements of x, in any order.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>

namespace cg = cooperative_groups;

__global__ void keep_positive(const int* x, std::size_t n, int* kept, unsigned* count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) {
    // <solution>
    const auto here = cg::coalesced_threads();
    unsigned first = 0;
    if (here.thread_rank() == 0) first = atomicAdd(count, here.size());
    first = here.shfl(first, 0);
    kept[first + here.thread_rank()] = x[i];
    // <starter>
    //| // TODO: let one of the threads that are here reserve the places of all of them.
    //| const unsigned place = atomicAdd(count, 1u);
    //| kept[place] = x[i];
    // </solution>
  }
}
