// SPDX-License-Identifier: MIT
// Exercise near_count: how many points are near each point, up to enough.
#pragma once

__global__ void near_count(const float* xyz, unsigned n, float eps, unsigned enough,
                           unsigned* counts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // <solution>
  unsigned count = 0;
  for (unsigned j = 0; j < n && count < enough; ++j) {
    const float x = xyz[3 * i] - xyz[3 * j], y = xyz[3 * i + 1] - xyz[3 * j + 1],
                z = xyz[3 * i + 2] - xyz[3 * j + 2];
    if (x * x + y * y + z * z <= eps * eps) ++count;
  }
  counts[i] = count;
  // <starter>
  //| // TODO: look at all points, and stop where there are enough.
  //| counts[i] = 1;
  // </solution>
}
