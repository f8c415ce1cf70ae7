// SPDX-License-Identifier: MIT
// Exercise cells_around: count what is near by looking at the cells around a point.
#pragma once

__device__ inline bool is_near(float2 p, float2 q, float eps) {
  const float x = p.x - q.x, y = p.y - q.y;
  return x * x + y * y <= eps * eps;
}

__global__ void cells_around(const float2* points, const unsigned* starts, int across, float eps,
                             unsigned n, unsigned* counts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 p = points[i];
  unsigned count = 0;
  // TODO: these are all points. Look at the cells around p only.
  for (unsigned j = 0; j < n; ++j) count += is_near(p, points[j], eps);
  counts[i] = count;
}
