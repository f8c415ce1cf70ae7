// SPDX-License-Identifier: MIT
// Exercise neighbours_together: triple an array, and read every sector once.
//
// The grid has fewer threads than there are elements. out[i] = 3 * x[i] for every i below n.
#pragma once

#include <cstddef>

__global__ void triple_all(const int* x, std::size_t n, int* out) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // <solution>
  for (std::size_t i = me; i < n; i += threads) out[i] = 3 * x[i];
  // <starter>
  //| // TODO: right, but at each step the lanes of a warp are far from each other. Let them be neighbours.
  //| const std::size_t each = (n + threads - 1) / threads;
  //| for (std::size_t k = 0; k < each; ++k) {
  //|   const std::size_t i = me * each + k;
  //|   if (i < n) out[i] = 3 * x[i];
  //| }
  // </solution>
}
