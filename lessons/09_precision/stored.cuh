// SPDX-License-Identifier: MIT
// Numbers are stored in 32 or 16 bits, and always computed with in fp32: what a load of 16 bytes brings
// becomes four or eight floats, and the other way round.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lesson09 {

// The same bits in another type. (__half2 and __nv_bfloat162 have constructors, so bit_cast refuses them.)
template <class To, class From>
__device__ To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class S>
struct Pair;
template <>
struct Pair<__half> {
  __device__ static float2 widen(unsigned bits) { return __half22float2(same_bits<__half2>(bits)); }
  __device__ static unsigned narrow(float a, float b) {
    return same_bits<unsigned>(__floats2half2_rn(a, b));
  }
};
template <>
struct Pair<__nv_bfloat16> {
  // A bf16 is the upper half of a float.
  __device__ static float2 widen(unsigned bits) {
    return {__uint_as_float(bits << 16), __uint_as_float(bits & 0xffff0000u)};
  }
  __device__ static unsigned narrow(float a, float b) {
    return same_bits<unsigned>(__floats2bfloat162_rn(a, b));
  }
};

__device__ inline float widened(float x) { return x; }
__device__ inline float widened(__half x) { return __half2float(x); }
__device__ inline float widened(__nv_bfloat16 x) { return __bfloat162float(x); }
template <class S>
__device__ S narrowed(float x);
template <>
__device__ inline float narrowed<float>(float x) {
  return x;
}
template <>
__device__ inline __half narrowed<__half>(float x) {
  return __float2half_rn(x);
}
template <>
__device__ inline __nv_bfloat16 narrowed<__nv_bfloat16>(float x) {
  return __float2bfloat16_rn(x);
}

// How many of them a load of 16 bytes brings.
template <class S>
inline constexpr int kPack = 16 / sizeof(S);

template <class S>
__device__ void widen(const uint4& bits, float (&x)[kPack<S>]) {
  const unsigned words[4] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(S) == 4) {
      x[i] = __uint_as_float(words[i]);
    } else {
      const float2 two = Pair<S>::widen(words[i]);
      x[2 * i] = two.x;
      x[2 * i + 1] = two.y;
    }
  }
}

template <class S>
__device__ uint4 narrow(const float (&x)[kPack<S>]) {
  unsigned words[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(S) == 4)
      words[i] = __float_as_uint(x[i]);
    else
      words[i] = Pair<S>::narrow(x[2 * i], x[2 * i + 1]);
  }
  return {words[0], words[1], words[2], words[3]};
}

// An array that begins anywhere, seen as packs of 16 bytes, with a few elements before and behind them
// (lesson 03).
template <class S>
struct Packs {
  const S* in;
  std::size_t n;
  const uint4* data;
  std::size_t count;
  unsigned head;     // elements before the packs
  std::size_t tail;  // the first behind them

  Packs(const S* first, std::size_t size) : in(first), n(size) {
    const std::size_t past = reinterpret_cast<std::uintptr_t>(first) % 16 / sizeof(S);
    const std::size_t before = past == 0 ? 0 : kPack<S> - past;
    head = static_cast<unsigned>(before < n ? before : n);
    count = (n - head) / kPack<S>;
    data = reinterpret_cast<const uint4*>(first + head);
    tail = head + count * kPack<S>;
  }
  // Elements outside the packs, and the i-th of them.
  __device__ unsigned odd() const { return head + static_cast<unsigned>(n - tail); }
  __device__ float odd_element(unsigned i) const {
    return widened(in[i < head ? i : i - head + tail]);
  }
};

}  // namespace lesson09
