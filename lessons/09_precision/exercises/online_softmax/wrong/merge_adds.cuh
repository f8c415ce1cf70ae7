// SPDX-License-Identifier: MIT
// Wrong: sums of different maxima are added as they are.
#pragma once

#include <cstddef>

__global__ void online_softmax(const float* x, unsigned n, float* y) {
  const unsigned lane = threadIdx.x;
  float largest = -INFINITY, sum = 0;
  for (unsigned i = lane; i < n; i += 32) {
    const float v = x[i], next = fmaxf(largest, v);
    sum = sum * expf(largest - next) + expf(v - next);
    largest = next;
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  }
  for (unsigned i = lane; i < n; i += 32) y[i] = expf(x[i] - largest) / sum;
}
