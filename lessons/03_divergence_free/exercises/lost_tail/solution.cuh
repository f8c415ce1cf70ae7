// SPDX-License-Identifier: MIT
// Exercise lost_tail: repair a sum that loads four elements at a time.
//
// The kernel is launched with several blocks of 128 threads. x is aligned to 16 bytes and has n
// elements, n may be anything. *sum is 0 before the launch; afterwards it is the sum of x.
#pragma once

#include <cstddef>

__global__ void sum_by_fours(const int* x, std::size_t n, int* sum) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t fours = n / 4;
  int mine = 0;
  for (std::size_t i = me; i < fours; i += threads) {
    const int4 four = reinterpret_cast<const int4*>(x)[i];
    mine += (four.x + four.y) + (four.z + four.w);
  }
  // <solution>
  // At most three elements are left, and there are more threads than that: one element each.
  if (4 * fours + me < n) mine += x[4 * fours + me];
  // <starter>
  //| // TODO: the sum is right only if 4 divides n. Who adds the rest?
  // </solution>

  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}
