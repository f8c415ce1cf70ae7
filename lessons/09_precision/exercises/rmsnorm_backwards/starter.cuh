// SPDX-License-Identifier: MIT
// Exercise rmsnorm_backwards: the gradient of RMSNorm for one row.
//
// Launched with one block of 32 threads. y[i] = x[i] w[i] s with s = 1 / sqrt(mean of x^2 + epsilon);
// dx[i] = the derivative of the sum of y[j] dy[j] with respect to x[i].
#pragma once

#include <cstddef>

__global__ void rmsnorm_backwards(const float* x, const float* w, const float* dy, unsigned n,
                                  float epsilon, float* dx) {
  const unsigned lane = threadIdx.x;
  // TODO: the gradient for every element of the row. This is only its first step.
  float squares = 0;
  for (unsigned i = lane; i < n; i += 32) squares += x[i] * x[i];
  const float scale = rsqrtf(squares / static_cast<float>(n) + epsilon);
  for (unsigned i = lane; i < n; i += 32) dx[i] = scale * dy[i];
}
