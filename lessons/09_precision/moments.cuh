// SPDX-License-Identifier: MIT
// Mean and variance in one pass that cannot go wrong: Welford's, merged as Chan, Golub and LeVeque do it.
#pragma once

#include "lessons/09_precision/row_part.cuh"

namespace lesson09 {

// Of some elements: how many, their mean, and the sum of the squared distances from it. Nothing is ever
// squared that is not a distance, so nothing large is subtracted from something else that is large.
struct Moments {
  float count, mean, squares;
  __device__ float variance() const { return count > 0 ? squares / count : 0.0f; }
};

__device__ inline void add_to(Moments& m, float x) {
  m.count += 1;
  const float distance = x - m.mean;
  m.mean += distance / m.count;
  m.squares += distance * (x - m.mean);
}

__device__ inline Moments merged(const Moments& a, const Moments& b) {
  const float count = a.count + b.count;
  if (count == 0) return a;
  const float distance = b.mean - a.mean, share = b.count / count;
  return {count, a.mean + distance * share,
          a.squares + b.squares + distance * distance * a.count * share};
}

__device__ inline Moments merged_lanes(Moments m) {
#pragma unroll
  for (unsigned bits = 16; bits > 0; bits /= 2) {
    const Moments other = {__shfl_xor_sync(0xffffffffu, m.count, bits),
                           __shfl_xor_sync(0xffffffffu, m.mean, bits),
                           __shfl_xor_sync(0xffffffffu, m.squares, bits)};
    m = merged(m, other);
  }
  return m;
}

// Over the block; every thread gets them, after one barrier.
__device__ inline Moments merged_block(Moments mine) {
  __shared__ Moments of_warp[32];
  mine = merged_lanes(mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  const Moments none = {0, 0, 0};
  return merged_lanes(threadIdx.x % 32 < blockDim.x / 32 ? of_warp[threadIdx.x % 32] : none);
}

}  // namespace lesson09
