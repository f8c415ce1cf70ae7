// SPDX-License-Identifier: MIT
// Exercise bounds_check: triple every element of an array.
//
// There are just enough blocks for n elements, so the last block may have threads without one.
#pragma once

#include <cstddef>

__global__ void triple(int* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // <solution>
  if (i < n) x[i] = 3 * x[i];
  // <starter>
  //| // TODO: not every thread has an element. Let those do nothing that have none.
  //| x[i] = 3 * x[i];
  // </solution>
}
