// SPDX-License-Identifier: MIT
// Wrong: without the largest element subtracted exp() overflows.
#pragma once

#include <cstddef>

__global__ void online_softmax(const float* x, unsigned n, float* y) {
  const unsigned lane = threadIdx.x;
  float largest = -INFINITY, sum = 0;
  largest = 0;
  for (unsigned i = lane; i < n; i += 32) sum += expf(x[i]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (unsigned i = lane; i < n; i += 32) y[i] = expf(x[i] - largest) / sum;
}
