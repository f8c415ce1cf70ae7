// SPDX-License-Identifier: MIT
// Micro-kernels for what the memory system does with accesses that are not side by side, with data that is read again and
// with atomics, and for the units that are narrower than a warp. As those of micro_kernels.cuh they work on zeros.
#pragma once

#include "micro_kernels.cuh"

namespace model {

__device__ inline unsigned scatter(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// Lanes `step` words apart, each word once: with Fill a warp takes the words between in its next rounds.
template <bool Write>
__global__ void strided(unsigned* words, unsigned step, bool fill, int rounds, unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / 32;
  unsigned x = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::size_t chunk = fill ? warp + i / step * warps : warp + i * warps;
    unsigned* const at = words + chunk * 32 * step + lane * step + (fill ? i % step : 0);
    if (Write)
      *at = i;
    else
      x ^= *at;
  }
  if (!Write && x == kNever) *out = x;
}

// A block reads its own `count` elements again and again, lanes `step` elements apart.
template <class T>
__global__ void reread(const T* in, unsigned count, unsigned step, int rounds, unsigned* out) {
  const T* const mine = in + std::size_t{blockIdx.x} * count;
  unsigned x = 0, at = (threadIdx.x % 32 * step + threadIdx.x / 32 * 32) % count;
  for (int i = 0; i < rounds; ++i) {
    unsigned v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      v[k] = fold(mine[at]);
      at += blockDim.x;
      at = at >= count ? at - count : at;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) x ^= v[k];
  }
  if (x == kNever) *out = x;
}

static __global__ void reread_chain(const unsigned* next, int rounds, unsigned* out) {
  unsigned at = threadIdx.x;
  for (int i = 0; i < rounds; ++i) at = next[at & 1023] + threadIdx.x;
  if (at == kNever) *out = at;
}

// Counts into `mask` + 1 bins `step` elements apart.
template <class T, bool WithResult, int Skew>
__global__ void count_bins(T* bins, unsigned mask, unsigned step, int rounds, unsigned* out) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = 0;
  for (int i = 0; i < rounds; ++i) {
    unsigned bin = scatter(me + i * gridDim.x * blockDim.x);
    if (Skew) bin &= scatter(bin + 1) & (Skew > 1 ? scatter(bin + 2) : ~0u);
    const T got = atomicAdd(bins + (bin & mask) * step, T(1));
    if (WithResult) x ^= static_cast<unsigned>(got);
  }
  if (WithResult && x == kNever) *out = x;
}

template <class T, bool Constant>
__global__ void count_shared_bins(unsigned mask, int rounds, unsigned* out) {
  __shared__ T bins[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    const unsigned v = scatter(me + i * gridDim.x * blockDim.x);
    atomicAdd(bins + (v & mask), Constant ? T(1) : T(v >> 30));
  }
  __syncthreads();
  if (bins[threadIdx.x] == T(kNever)) *out = 1;
}

// The work of a block grows with its number, or is the same for all.
static __global__ void uneven(int rounds, int more, unsigned a, unsigned* out) {
  unsigned v = threadIdx.x;
  const int n = rounds + static_cast<int>(blockIdx.x) * more / static_cast<int>(gridDim.x);
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int s = 0; s < 32; ++s) v = v * a + v;
  }
  if (v == kNever) *out = v;
}
// ... of a lane with its number.
static __global__ void uneven_lanes(int rounds, unsigned a, unsigned* out) {
  unsigned v = threadIdx.x;
  const int n =
      rounds * (1 + static_cast<int>(scatter(blockIdx.x * blockDim.x + threadIdx.x) % 32));
  for (int i = 0; i < n; ++i) v = v * a + v;
  if (v == kNever) *out = v;
}

// ---- units

struct Double {
  static __device__ unsigned step(unsigned v, unsigned a) {
    return __double2hiint(fma(__hiloint2double(v, 1), __hiloint2double(a, 1), 1.5));
  }
};
struct FloatDivision {
  static __device__ unsigned step(unsigned v, unsigned a) {
    return __float_as_uint(__uint_as_float(v | 0x3f000000) / __uint_as_float(a | 0x3f800000));
  }
};
struct FloatRoot {
  static __device__ unsigned step(unsigned v, unsigned) {
    return __float_as_uint(sqrtf(__uint_as_float(v | 0x3f000000)));
  }
};
struct Exponential {
  static __device__ unsigned step(unsigned v, unsigned) {
    return __float_as_uint(expf(__uint_as_float(v & 0xbfffffff)));
  }
};
struct Sine {
  static __device__ unsigned step(unsigned v, unsigned) {
    return __float_as_uint(sinf(__uint_as_float(v & 0xbfffffff)));
  }
};
struct DoubleDivision {
  static __device__ unsigned step(unsigned v, unsigned a) {
    return __double2hiint(__hiloint2double(v | 0x3ff00000, 1) /
                          __hiloint2double(a | 0x3ff00000, 1));
  }
};
struct WideProduct {
  static __device__ unsigned step(unsigned v, unsigned a) {
    const unsigned long long w = (static_cast<unsigned long long>(v) << 32 | a) *
                                 (static_cast<unsigned long long>(a) << 32 | v);
    return static_cast<unsigned>(w >> 32);
  }
};
struct WideDivision {
  static __device__ unsigned step(unsigned v, unsigned a) {
    return static_cast<unsigned>((static_cast<unsigned long long>(v) << 32 | a) / (a + 7ull));
  }
};
struct Shift {
  static __device__ unsigned step(unsigned v, unsigned a) { return __funnelshift_l(v, a, v); }
};
struct Compare {
  static __device__ unsigned step(unsigned v, unsigned a) { return v > a ? v - a : v + 3; }
};
struct Bits {
  static __device__ unsigned step(unsigned v, unsigned a) { return __popc(v) + a; }
};
struct FloatAdd {
  static __device__ unsigned step(unsigned v, unsigned a) {
    return __float_as_uint(__uint_as_float(v) + __uint_as_float(a));
  }
};

}  // namespace model
