// SPDX-License-Identifier: MIT
// Exercise thread_number: the number of this thread in the whole grid.
//
// Threads are numbered from 0 through block 0, then on through block 1, and so on.
#pragma once

#include <cstddef>

__device__ unsigned thread_number() {
  // <solution>
  return blockIdx.x * blockDim.x + threadIdx.x;
  // <starter>
  //| // TODO: this is the number in the block. Make it the number in the whole grid.
  //| return threadIdx.x;
  // </solution>
}
