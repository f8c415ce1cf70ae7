// SPDX-License-Identifier: MIT
// Exercise online_softmax: a row is read twice, not three times.
//
// Launched with one block of 32 threads. y[i] = exp(x[i]) / (exp(x[0]) + ... + exp(x[n-1])).
#pragma once

#include <cstddef>

__global__ void online_softmax(const float* x, unsigned n, float* y) {
  const unsigned lane = threadIdx.x;
  float largest = -INFINITY, sum = 0;
  // TODO: one pass for the largest and the sum.
  for (unsigned i = lane; i < n; i += 32) largest = fmaxf(largest, x[i]);
  for (int step = 16; step > 0; step /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  for (unsigned i = lane; i < n; i += 32) sum += expf(x[i] - largest);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (unsigned i = lane; i < n; i += 32) y[i] = expf(x[i] - largest) / sum;
}
