// SPDX-License-Identifier: MIT
// Wrong: points above each other are not near.
#pragma once

__global__ void near_count(const float* xyz, unsigned n, float eps, unsigned enough,
                           unsigned* counts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned count = 0;
  for (unsigned j = 0; j < n && count < enough; ++j) {
    const float x = xyz[3 * i] - xyz[3 * j], y = xyz[3 * i + 1] - xyz[3 * j + 1],
                z = xyz[3 * i + 2] - xyz[3 * j + 2];
    if (x * x + y * y <= eps * eps) ++count;
  }
  counts[i] = count;
}
