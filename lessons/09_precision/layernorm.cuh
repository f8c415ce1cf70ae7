// SPDX-License-Identifier: MIT
// LayerNorm and softmax: rows in registers as in RMSNorm, with another thing to merge.
#pragma once

#include "lessons/09_precision/moments.cuh"

namespace lesson09 {

// out = (x - mean) / sqrt(variance + epsilon) weight. A block for each row; rows are aligned.
template <int kPacks, class S>
__global__ void layernorm(Rows<S> r) {
  const unsigned packs = r.columns / kPack<S>;
  const std::size_t row = blockIdx.x * std::size_t{r.columns};
  Part<S, kPacks> x, weight;
  x.load(r.x + row, threadIdx.x, blockDim.x, packs);
  weight.load(r.weight, threadIdx.x, blockDim.x, packs);
  Moments mine = {0, 0, 0};
#pragma unroll
  for (int k = 0; k < kPacks; ++k) {
    if (threadIdx.x + k * blockDim.x >= packs) continue;
    float v[kPack<S>];
    widen<S>(x.pack[k], v);
#pragma unroll
    for (const float element : v) add_to(mine, element);
  }
  const Moments all = merged_block(mine);
  const float scale = rsqrtf(all.variance() + r.epsilon);
#pragma unroll
  for (int k = 0; k < kPacks; ++k) {
    float v[kPack<S>], w[kPack<S>];
    widen<S>(x.pack[k], v);
    widen<S>(weight.pack[k], w);
#pragma unroll
    for (int i = 0; i < kPack<S>; ++i) v[i] = (v[i] - all.mean) * scale * w[i];
    x.pack[k] = narrow<S>(v);
  }
  x.store(r.out + row, threadIdx.x, blockDim.x, packs);
}

// Of some elements: the largest, and the sum of exp(x - largest). Two of them can be merged when both are
// known only in part: the sum of the smaller one is scaled down. That is the online softmax.
struct Exponentials {
  float largest, sum;
};
__device__ inline Exponentials merged(const Exponentials& a, const Exponentials& b) {
  const float largest = fmaxf(a.largest, b.largest);
  if (largest == -INFINITY) return a;  // nothing yet, or only elements that are -infinity
  return {largest, a.sum * __expf(a.largest - largest) + b.sum * __expf(b.largest - largest)};
}
__device__ inline Exponentials merged_lanes(Exponentials e) {
#pragma unroll
  for (unsigned bits = 16; bits > 0; bits /= 2)
    e = merged(e, {__shfl_xor_sync(0xffffffffu, e.largest, bits),
                   __shfl_xor_sync(0xffffffffu, e.sum, bits)});
  return e;
}
__device__ inline Exponentials merged_block(Exponentials mine) {
  __shared__ Exponentials of_warp[32];
  mine = merged_lanes(mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  const Exponentials none = {-INFINITY, 0};
  return merged_lanes(threadIdx.x % 32 < blockDim.x / 32 ? of_warp[threadIdx.x % 32] : none);
}

// out = exp(x) / the row's sum of exp(x), and never exp of something positive.
template <int kPacks, class S>
__global__ void softmax(Rows<S> r) {
  const unsigned packs = r.columns / kPack<S>;
  const std::size_t row = blockIdx.x * std::size_t{r.columns};
  Part<S, kPacks> x;
  x.load(r.x + row, threadIdx.x, blockDim.x, packs);
  Exponentials mine = {-INFINITY, 0};
#pragma unroll
  for (int k = 0; k < kPacks; ++k) {
    if (threadIdx.x + k * blockDim.x >= packs) continue;
    float v[kPack<S>];
    widen<S>(x.pack[k], v);
    // A pack at a time: one new maximum, then a sum that needs no scaling.
    Exponentials few = {v[0], 0};
#pragma unroll
    for (const float element : v) few.largest = fmaxf(few.largest, element);
#pragma unroll
    for (const float element : v) few.sum += __expf(element - few.largest);
    mine = merged(mine, few);
  }
  const Exponentials all = merged_block(mine);
  const float scale = 1 / all.sum;
#pragma unroll
  for (int k = 0; k < kPacks; ++k) {
    float v[kPack<S>];
    widen<S>(x.pack[k], v);
#pragma unroll
    for (float& element : v) element = __expf(element - all.largest) * scale;
    x.pack[k] = narrow<S>(v);
  }
  x.store(r.out + row, threadIdx.x, blockDim.x, packs);
}

}  // namespace lesson09
