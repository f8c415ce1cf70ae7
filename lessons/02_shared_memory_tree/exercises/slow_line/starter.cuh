// SPDX-License-Identifier: MIT
// Exercise slow_line: the sums of the rows and of the columns of squares of 32 x 32 ints.
//
// The kernel is launched with blocks of 64 threads, one for each square: warp 0 adds up the rows,
// warp 1 the columns.
#pragma once

constexpr unsigned kSide = 32;

__global__ void sums(const int* in, int* rows, int* columns) {
  // TODO: one line of this kernel takes many times as long as it should. Which one, and why?
  __shared__ int square[kSide][kSide];
  const unsigned t = threadIdx.x, first = blockIdx.x * kSide * kSide;
  for (unsigned i = t; i < kSide * kSide; i += blockDim.x)
    square[i / kSide][i % kSide] = in[first + i];
  __syncthreads();
  int sum = 0;
  if (t < kSide) {
    for (unsigned k = 0; k < kSide; ++k) sum += square[t][k];
    rows[blockIdx.x * kSide + t] = sum;
  } else {
    for (unsigned k = 0; k < kSide; ++k) sum += square[k][t - kSide];
    columns[blockIdx.x * kSide + t - kSide] = sum;
  }
}
