// SPDX-License-Identifier: MIT
// Exercise stride_loop: each thread adds up its share of a dot product.
//
// The kernel is launched with a grid of any shape, n may be anything. With T threads in the grid,
// thread `me` takes the elements me, me + T, me + 2 T, ... and leaves the sum of a[i] * b[i] over
// them in shares[me]. shares has T elements, and all of them are written.
#pragma once

#include <cstddef>

__global__ void dot_shares(const int* a, const int* b, std::size_t n, int* shares) {
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int mine = 0;
  // TODO: this is the first of my elements. Take all of them.
  if (me < n) mine = a[me] * b[me];
  shares[me] = mine;
}
