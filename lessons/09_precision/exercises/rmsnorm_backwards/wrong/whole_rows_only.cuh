// SPDX-License-Identifier: MIT
// Wrong: sums stop at the last whole row of 32.
#pragma once

#include <cstddef>

__global__ void rmsnorm_backwards(const float* x, const float* w, const float* dy, unsigned n,
                                  float epsilon, float* dx) {
  const unsigned lane = threadIdx.x;
  float squares = 0, dot = 0;
  for (unsigned i = lane; i / 32 < n / 32; i += 32) {
    squares += x[i] * x[i];
    dot += w[i] * dy[i] * x[i];
  }
  for (int step = 16; step > 0; step /= 2) {
    squares += __shfl_xor_sync(0xffffffffu, squares, step);
    dot += __shfl_xor_sync(0xffffffffu, dot, step);
  }
  const float scale = rsqrtf(squares / static_cast<float>(n) + epsilon);
  const float pull = scale * scale * scale * dot / static_cast<float>(n);
  for (unsigned i = lane; i < n; i += 32) dx[i] = scale * w[i] * dy[i] - pull * x[i];
}
