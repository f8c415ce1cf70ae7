// SPDX-License-Identifier: MIT
// What a scan adds with: any operation that is associative, and its identity. It need not be
// commutative: all scans of this lesson keep the order of the elements. kAnyOrder says that an operation
// is, where a sum (not a scan) has a quicker way then.
#pragma once

#include <cuda/std/cstdint>
#include <cuda/std/limits>

namespace lesson08 {

template <class T>
struct Plus {
  using Value = T;
  static constexpr bool kAnyOrder = true;
  __host__ __device__ static constexpr T identity() { return T{0}; }
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

// Sums of int wrap around, as the GPU's addition does; for the compiler a signed overflow is undefined.
template <>
struct Plus<int> {
  using Value = int;
  static constexpr bool kAnyOrder = true;
  __host__ __device__ static constexpr int identity() { return 0; }
  __host__ __device__ int operator()(int a, int b) const {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  }
};

template <class T>
struct Max {
  using Value = T;
  static constexpr bool kAnyOrder = true;
  __host__ __device__ static constexpr T identity() {
    return cuda::std::numeric_limits<T>::lowest();
  }
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

// One after the other: x -> m x + c, modulo 2^16, m above and c below in one word. Which map comes
// first matters, so a scan that confuses the order of two elements shows it.
struct Compose {
  using Value = unsigned;
  static constexpr bool kAnyOrder = false;
  __host__ __device__ static constexpr unsigned identity() { return 1u << 16; }
  __host__ __device__ unsigned operator()(unsigned first, unsigned then) const {
    const unsigned m = (first >> 16) * (then >> 16);
    const unsigned c = (first & 0xffff) * (then >> 16) + (then & 0xffff);
    return m << 16 | (c & 0xffff);
  }
};

// For segments: the sum from the last head on (or from the begin), and whether there was a head. A
// pair is an element like any other and its operation is associative, so every scan of this lesson can
// do it.
template <class T>
struct Piece {
  T value;
  bool head;
};

template <class Op>
struct Segmented {
  using T = typename Op::Value;
  using Value = Piece<T>;
  static constexpr bool kAnyOrder = false;
  __host__ __device__ static constexpr Value identity() { return {Op::identity(), false}; }
  // What comes behind a head does not add what was before it. The result has a head where either has:
  // without it the next step would add across a head that it cannot see.
  __host__ __device__ Value operator()(Value left, Value right) const {
    return {right.head ? right.value : Op{}(left.value, right.value), left.head || right.head};
  }
};

}  // namespace lesson08
