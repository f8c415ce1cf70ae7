// SPDX-License-Identifier: MIT
// Wrong: near points lie in the cells around, too.
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
  const int cx = static_cast<int>(p.x / eps), cy = static_cast<int>(p.y / eps);
  const int first = cx, last = cx;
  for (int y = cy; y <= cy; ++y) {
    const unsigned end = starts[y * across + last + 1];
    for (unsigned j = starts[y * across + first]; j < end; ++j) count += is_near(p, points[j], eps);
  }
  counts[i] = count;
}
