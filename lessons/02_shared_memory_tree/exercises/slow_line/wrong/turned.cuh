// SPDX-License-Identifier: MIT
// Wrong: now the store and the columns have the conflicts.
#pragma once

constexpr unsigned kSide = 32;

__global__ void sums(const int* in, int* rows, int* columns) {
  __shared__ int square[kSide][kSide];
  const unsigned t = threadIdx.x, first = blockIdx.x * kSide * kSide;
  for (unsigned i = t; i < kSide * kSide; i += blockDim.x)
    square[i % kSide][i / kSide] = in[first + i];
  __syncthreads();
  int sum = 0;
  if (t < kSide) {
    for (unsigned k = 0; k < kSide; ++k) sum += square[k][t];
    rows[blockIdx.x * kSide + t] = sum;
  } else {
    for (unsigned k = 0; k < kSide; ++k) sum += square[t - kSide][k];
    columns[blockIdx.x * kSide + t - kSide] = sum;
  }
}
