// SPDX-License-Identifier: MIT
// Exercise merge_variance: mean and variance of an array, merged across the lanes of a warp.
//
// Launched with one block of 32 threads. out[0] = the mean, out[1] = the mean squared distance from it.
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
  // TODO: merge the lanes.
  if (lane != 0) return;
  out[0] = mean;
  out[1] = count > 0 ? squares / count : 0.0f;
}
