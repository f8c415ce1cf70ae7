// SPDX-License-Identifier: MIT
// Boxes around points: what a cell's points really take up, and whether anything in one box can be near
// anything in another. Many warps make a box together, by atomics; those know whole numbers only, so a
// float becomes a whole number of the same order.
#pragma once

#include "lessons/13_point_cloud/cells.cuh"

namespace lesson13 {

__device__ inline int ordered(float v) {
  const int bits = __float_as_int(v);
  return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__device__ inline float from_ordered(int bits) {
  return __int_as_float(bits >= 0 ? bits : bits ^ 0x7fffffff);
}

struct Box {
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

  __device__ void add(float4 p) {
    const float at[] = {p.x, p.y, p.z};
#pragma unroll
    for (int d = 0; d < 3; ++d) low[d] = fminf(low[d], at[d]), high[d] = fmaxf(high[d], at[d]);
  }
  // The box around all lanes' boxes, for all of them.
  __device__ Box of_warp() const {
    Box all;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
#if __CUDA_ARCH__ >= 800
      const int least = __reduce_min_sync(kAllLanes, ordered(low[d])),
                most = __reduce_max_sync(kAllLanes, ordered(high[d]));
#else
      int least = ordered(low[d]), most = ordered(high[d]);
      for (unsigned k = kWarp / 2; k > 0; k /= 2) {
        least = min(least, __shfl_xor_sync(kAllLanes, least, k));
        most = max(most, __shfl_xor_sync(kAllLanes, most, k));
      }
#endif
      all.low[d] = from_ordered(least), all.high[d] = from_ordered(most);
    }
    return all;
  }
  // Into memory, with the boxes of other warps.
  __device__ void merge_into(int* box) const {
    const Box all = of_warp();
#pragma unroll
    for (int d = 0; d < 3; ++d)
      if (lane() == 0) {
        atomicMin(box + d, ordered(all.low[d]));
        atomicMax(box + 3 + d, ordered(all.high[d]));
      }
  }
  __device__ static Box from(const int* box) {
    Box b;
#pragma unroll
    for (int d = 0; d < 3; ++d)
      b.low[d] = from_ordered(box[d]), b.high[d] = from_ordered(box[3 + d]);
    return b;
  }
};

// Whether some point of a may be near some point of b. It may say yes too often: a millionth is added, so
// that no rounding makes it say no to a near pair.
__device__ inline bool may_touch(const Box& a, const Box& b, float eps) {
  float sum = 0;
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    const float gap = fmaxf(0, fmaxf(b.low[d] - a.high[d], a.low[d] - b.high[d]));
    sum += gap * gap;
  }
  return sum <= eps * eps * (1 + 1e-6f);
}
__device__ inline bool may_touch(float4 p, const Box& b, float eps) {
  const Box point{{p.x, p.y, p.z}, {p.x, p.y, p.z}};
  return may_touch(point, b, eps);
}

// Where the points of a cell can be: the cube, and a little more than any rounding.
__device__ inline Box cube_of(Key key, float per_metre) {
  Box cube;
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    const float number =
        static_cast<float>(static_cast<int>(key >> (32 - 16 * d) & 0xffff) - 32768);
    cube.low[d] = (number - 1.0f / 256) / per_metre;
    cube.high[d] = (number + 1 + 1.0f / 256) / per_metre;
  }
  return cube;
}

}  // namespace lesson13
