// SPDX-License-Identifier: MIT
// What a warp can do with shuffles besides adding: small functions to copy out and use. Each says
// which lane gets what. All 32 lanes must call them together; toolbox.cu shows every one at work.
//
// An operator is a struct with an operator() of two values: Plus, Largest, Smallest, or your own.
#pragma once

#include "lessons/04_warp_shuffle/warp_shuffle.cuh"

namespace lesson04 {

// ---- moving values

// Every lane gets the value of lane `from`.
template <class T>
__device__ T broadcast(T mine, unsigned from) {
  return __shfl_sync(kAllLanes, mine, from);
}

// Every lane gets the value of the first lane of its own group of kWidth lanes, a power of two.
// The last argument of a shuffle cuts the warp into such groups: lane numbers count inside each.
template <unsigned kWidth, class T>
__device__ T broadcast_in_group(T mine) {
  return __shfl_sync(kAllLanes, mine, 0, kWidth);
}

// Lane i gets the value of lane 31 - i. For numbers of five bits, 31 - i is i xor 31.
template <class T>
__device__ T reverse(T mine) {
  return __shfl_xor_sync(kAllLanes, mine, kWarp - 1);
}

// Lane i gets the value of lane i + 1. Lane 31 has no such neighbour: it keeps its own value. It
// does not get zero, and the value does not come around from lane 0.
template <class T>
__device__ T from_next(T mine) {
  return __shfl_down_sync(kAllLanes, mine, 1);
}

// Lane i gets the value of lane i - 1, and lane 0 its own. With a width, the first lane of every
// group keeps its own.
template <unsigned kWidth, class T>
__device__ T from_previous_in_group(T mine) {
  return __shfl_up_sync(kAllLanes, mine, 1, kWidth);
}

// Every lane with `takes_part` gets the value of the first such lane, the others keep their own.
// Who takes part is found out before the branch, while all 32 lanes are here; inside, the mask
// names exactly those that came.
template <class T>
__device__ T first_of_those(T mine, bool takes_part) {
  const unsigned who = __ballot_sync(kAllLanes, takes_part);
  if (takes_part) mine = __shfl_sync(who, mine, __ffs(who) - 1);
  return mine;
}

// ---- reducing

struct Plus {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Largest {  // of numbers; a NaN is neither larger nor smaller, see arg_max for a rule
  template <class T>
  __device__ T operator()(T a, T b) const {
    return b > a ? b : a;
  }
};
struct Smallest {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

// Every lane of a group of kWidth gets op over the group's values. The lower lane's value is always
// the left operand, so op must be associative but need not be commutative.
template <unsigned kWidth = kWarp, class T, class Op>
__device__ T butterfly(T mine, Op op) {
#pragma unroll
  for (unsigned distance = 1; distance < kWidth; distance *= 2) {
    const T other = __shfl_xor_sync(kAllLanes, mine, distance);
    mine = lane() & distance ? op(other, mine) : op(mine, other);
  }
  return mine;
}

// Every lane gets op over the values of lanes 0 to count - 1. The others bring the identity, the
// value that changes nothing: 0 for a sum, the lowest number for a maximum. They still take part:
// leaving them out would need a mask that names exactly the lanes that come.
template <class T, class Op>
__device__ T reduce_first(T mine, unsigned count, T identity, Op op) {
  return butterfly(lane() < count ? mine : identity, op);
}

// A value and where it was.
template <class T>
struct Found {
  T value;
  unsigned index;
};

// Every lane gets the largest value and its index; of equal values the smallest index. A NaN counts
// as larger than every number, and the first NaN wins: it is not lost without a word. This is the
// rule of IEEE 754-2019 maximum, and of argmax in NumPy and PyTorch. -0 and +0 are equal.
template <class T>
__device__ bool comes_before(const Found<T>& a, const Found<T>& b) {
  const bool a_nan = a.value != a.value, b_nan = b.value != b.value;  // never true for integers
  if (a_nan != b_nan) return a_nan;
  if (!a_nan && a.value != b.value) return a.value > b.value;
  return a.index < b.index;
}
template <class T>
__device__ Found<T> arg_max(T value, unsigned index) {
  Found<T> mine{value, index};
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    // Both parts must travel: a shuffle moves 4 or 8 bytes.
    const Found<T> other{__shfl_xor_sync(kAllLanes, mine.value, distance),
                         __shfl_xor_sync(kAllLanes, mine.index, distance)};
    if (comes_before(other, mine)) mine = other;
  }
  return mine;
}

// ---- scanning

// Lane i gets the sum of its group's lanes up to and with itself. Each step adds the value from
// `distance` lanes below, if there is such a lane in the group; else the shuffle gave the lane its
// own value, which must not be added.
template <unsigned kWidth = kWarp, class T>
__device__ T inclusive_scan(T mine) {
#pragma unroll
  for (unsigned distance = 1; distance < kWidth; distance *= 2) {
    const T below = __shfl_up_sync(kAllLanes, mine, distance, kWidth);
    if (lane() % kWidth >= distance) mine += below;
  }
  return mine;
}

// ---- transposing

// Groups of kSize lanes, each lane with one row of a kSize x kSize matrix in its registers. Then
// each lane has one column. Step by step, halves of ever larger squares change places: a lane whose
// bit is clear gives away its upper register of a pair, its partner the lower one.
template <int kSize, class T>
__device__ void transpose(T (&row)[kSize]) {
#pragma unroll
  for (int bit = 1; bit < kSize; bit *= 2) {
    const bool upper = lane() & bit;
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      if (i & bit) continue;  // the pair is registers i and i + bit
      const T sent = upper ? row[i] : row[i + bit];
      const T got = __shfl_xor_sync(kAllLanes, sent, bit);
      (upper ? row[i] : row[i + bit]) = got;
    }
  }
}

}  // namespace lesson04
