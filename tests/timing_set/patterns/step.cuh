// SPDX-License-Identifier: MIT
// What is done in a step, from what the step before has found.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kTable = 1024;

struct Steps {
  const float* table;
  float* shared;  // a word for each thread of the block, and 32 more
  unsigned lane;
};

#define STEP(name, ...)                                                  \
  struct name {                                                          \
    static __device__ float go(float x, [[maybe_unused]] const Steps& s, \
                               [[maybe_unused]] unsigned k) {            \
      __VA_ARGS__                                                        \
    }                                                                    \
  }
STEP(Product, return x * 0.9f + 0.5f;);
STEP(UniformWord, return x * 0.5f + s.table[k % kTable];);
STEP(UniformFour, const float4 t = reinterpret_cast<const float4*>(s.table)[k % (kTable / 4)];
     return x * t.x + t.y + t.z + t.w;);
STEP(Follow, return s.table[static_cast<unsigned>(x) % kTable] + x * 0.25f;);
STEP(SharedFollow, return s.shared[static_cast<unsigned>(x) % 32] + x * 0.25f;);
STEP(SharedHand, s.shared[threadIdx.x] = x; __syncwarp(); x = s.shared[threadIdx.x ^ 1] * 0.9f;
     __syncwarp(); return x;);
STEP(
    UniformBranch, if ((__float_as_uint(s.table[k % 32]) & 1) != 0) {
      for (int j = 0; j < 4; ++j) x = x * 0.9f + sinf(0.25f) + s.table[j + k % 32];
    } return x + 0.5f;);
STEP(
    BranchOnValue, if (x > 1) { x = 1 / x; } return x + 0.75f;);
STEP(
    BranchOnLane, if (((s.lane + k) & 3) == 0) { x = sqrtf(x) + x / 3.3f; } return x + 0.75f;);
STEP(
    TwoWays, if (((s.lane ^ k) & 1) == 0) { x = sqrtf(x) * 1.5f; } else {
      x = 1 / (x + 1);
    } return x + 0.25f;);
STEP(RootIfSome, const float t = s.table[k % kTable]; const float y = t * x - 0.4f;
     if (y <= 0 || t < 0.1f) return x; const float w = 2 * sqrtf(y);
     return w > x ? w * 0.5f + 0.1f : x;);
STEP(Root, return sqrtf(x) + 0.5f;);
STEP(Division, return 3 / (x + 0.5f););
STEP(Exponential, return expf(-x) + 0.5f;);
STEP(Logarithm, return logf(x + 2) + 0.5f;);
STEP(Sine, return sinf(x) + 1.1f;);
STEP(Power, return powf(x + 0.5f, 0.7f););
STEP(Tangent, return tanhf(x) + 0.5f;);
STEP(Shuffle, return __shfl_xor_sync(kAll, x, 1) * 0.9f + 0.5f;);
STEP(Ballot, const unsigned b = __ballot_sync(kAll, x > 1);
     return b >> s.lane & 1 ? x * 0.5f : x + 0.75f;);
STEP(LeaderWrites, const unsigned b = __ballot_sync(kAll, x > 0.9f);
     if (s.lane == __ffs(static_cast<int>(b)) - 1u) s.shared[(threadIdx.x & ~31u) + k % 8] = x;
     return x * 0.9f + 0.3f;);
STEP(Integers, const unsigned u = __float_as_uint(x);
     return __uint_as_float(((u << 3 | u >> 29) ^ (u + k)) & 0x3fffffffu););
STEP(ConvertThereAndBack, return static_cast<float>(static_cast<int>(x * 100)) * 0.009f + 0.5f;);
STEP(Remainder, return static_cast<float>((__float_as_uint(x) + 7) % (k + 3)) * 0.001f;);
STEP(RemainderSeven, return static_cast<float>((__float_as_uint(x) + k) % 7););
STEP(Barrier, s.shared[threadIdx.x] = x; __syncthreads();
     x = s.shared[(threadIdx.x + 33) % blockDim.x]; __syncthreads(); return x * 0.9f + 0.1f;);
STEP(DoubleProduct, return static_cast<float>(static_cast<double>(x) * 0.9 + 0.5););
STEP(
    WhileLanes, unsigned j = (s.lane * 7 + k) % 8; while (j > 0) {
      x = x * 0.9f + s.shared[j];
      --j;
    } return x;);
STEP(
    Switch, switch ((s.lane + k) & 3) {
      case 0:
        return sqrtf(x) + 0.5f;
      case 1:
        return x / 1.7f + 0.3f;
      case 2:
        return expf(-x) + 0.4f;
      default:
        return s.table[static_cast<unsigned>(x * 10) % kTable] + 0.3f;
    });
STEP(SharedAtomic, atomicAdd(&s.shared[(s.lane + k) % 32 + 32], x); return x * 0.9f + 0.1f;);
STEP(SharedAtomicOne, atomicAdd(&s.shared[32 + k % 2], x); return x * 0.9f + 0.1f;);
#undef STEP

}  // namespace timing_set
