// SPDX-License-Identifier: MIT
// Exercise slow_line: the sums of the rows and of the columns of squares of 32 x 32 ints.
//
// The kernel is launched with blocks of 64 threads, one for each square: warp 0 adds up the rows,
// warp 1 the columns.
#pragma once

constexpr unsigned kSide = 32;

__global__ void sums(const int* in, int* rows, int* columns) {
  // <solution>
  // A row is one word longer than what is used of it, so that the words of a column, and the words
  // at the same place of all rows, lie in 32 banks.
  __shared__ int square[kSide][kSide + 1];
  // <starter>
  //| // TODO: one line of this kernel takes many times as long as it should. Which one, and why?
  //| __shared__ int square[kSide][kSide];
  // </solution>
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
