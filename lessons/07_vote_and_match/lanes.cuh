// SPDX-License-Identifier: MIT
// Who am I in my warp, and which lanes come before me? What votes and matches are read with.
#pragma once

namespace lesson07 {

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;  // the mask that names every lane of the warp
using Mask = unsigned;                       // bit i: lane i

__device__ inline unsigned lane() { return threadIdx.x % kWarp; }
__device__ inline unsigned warp_of_block() { return threadIdx.x / kWarp; }
__device__ inline unsigned warps_of_block() { return blockDim.x / kWarp; }
__device__ inline Mask lanes_below() { return (1u << lane()) - 1; }

// How many of the lanes in a mask come before this one: a place for each, without gaps.
__device__ inline unsigned rank_in(Mask mask) { return __popc(mask & lanes_below()); }
// The lane that acts for all of them.
__device__ inline unsigned leader_of(Mask mask) { return __ffs(mask) - 1; }

// The sum of all lanes' values, for all of them: one instruction since compute capability 8.0.
__device__ inline unsigned warp_sum(unsigned v) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(kAllLanes, v);
#else
#pragma unroll
  for (int step = kWarp / 2; step > 0; step /= 2) v += __shfl_xor_sync(kAllLanes, v, step);
  return v;
#endif
}

}  // namespace lesson07
