// SPDX-License-Identifier: MIT
// Wrong: the mean of the squares minus the square of the mean.
#pragma once

#include <cstddef>

__global__ void merge_variance(const float* x, unsigned n, float* out) {
  const unsigned lane = threadIdx.x;
  // What a lane has seen: how many, their mean, the sum of squared distances from it.
  float count = 0, mean = 0, squares = 0;
  for (unsigned i = lane; i < n; i += 32) {
    count += 1;
    const float distance = x[i] - mean;
    mean += distance / count;
    squares += distance * (x[i] - mean);
  }
  mean = squares = 0;
  for (unsigned i = lane; i < n; i += 32) {
    mean += x[i];
    squares += x[i] * x[i];
  }
  for (int step = 16; step > 0; step /= 2) {
    mean += __shfl_xor_sync(0xffffffffu, mean, step);
    squares += __shfl_xor_sync(0xffffffffu, squares, step);
  }
  if (lane != 0) return;
  const float all = n > 0 ? static_cast<float>(n) : 1.0f;
  out[0] = mean / all;
  out[1] = squares / all - (mean / all) * (mean / all);
}
