// SPDX-License-Identifier: MIT
// Wrong: a new maximum does not correct the old sum.
#pragma once

#include <cstddef>

__global__ void online_softmax(const float* x, unsigned n, float* y) {
  const unsigned lane = threadIdx.x;
  float largest = -INFINITY, sum = 0;
  for (unsigned i = lane; i < n; i += 32) {
    const float v = x[i], next = fmaxf(largest, v);
    sum = sum + expf(v - next);
    largest = next;
  }
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, largest, step);
    const float others_sum = __shfl_xor_sync(0xffffffffu, sum, step);
    const float next = fmaxf(largest, other);
    if (next != -INFINITY) sum = sum * expf(largest - next) + others_sum * expf(other - next);
    largest = next;
  }
  for (unsigned i = lane; i < n; i += 32) y[i] = expf(x[i] - largest) / sum;
}
