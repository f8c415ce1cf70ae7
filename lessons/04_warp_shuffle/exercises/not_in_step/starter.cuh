// SPDX-License-Identifier: MIT
// Exercise not_in_step: repair the sums of rows of 32, made in shared memory by one warp each.
//
// The kernel is launched with blocks of 128 threads, one thread per element, one warp per row.
// sums[i] = the sum of the row that x[i] belongs to.
#pragma once

#include <cstddef>

__global__ void row_sums(const int* x, std::size_t n, int* sums) {
  __shared__ int cells[128];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned me = threadIdx.x;  // me ^ distance is in the same warp for every distance below 32
  cells[me] = i < n ? x[i] : 0;
  // TODO: nothing makes a lane wait for its partner, neither before it reads nor before it writes.
  for (unsigned distance = 16; distance > 0; distance /= 2) cells[me] += cells[me ^ distance];
  if (i < n) sums[i] = cells[me];
}
