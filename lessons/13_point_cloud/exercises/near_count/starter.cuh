// SPDX-License-Identifier: MIT
// Exercise near_count: how many points are near each point, up to enough.
#pragma once

__global__ void near_count(const float* xyz, unsigned n, float eps, unsigned enough,
                           unsigned* counts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // TODO: look at all points, and stop where there are enough.
  counts[i] = 1;
}
