// SPDX-License-Identifier: MIT
// The scan of 32 values by the lanes of a warp. All lanes must call.
#pragma once

#include "lessons/08_scan/operators.cuh"

namespace lesson08 {

constexpr unsigned kAllLanes = 0xffffffff;

__device__ inline unsigned lane_id() { return threadIdx.x % 32; }

// From the lane `distance` to the left or right; from one lane. A pair takes two shuffles.
template <class T>
__device__ T from_left(T mine, unsigned distance) {
  return __shfl_up_sync(kAllLanes, mine, distance);
}
template <class T>
__device__ T from_right(T mine, unsigned distance) {
  return __shfl_down_sync(kAllLanes, mine, distance);
}
template <class T>
__device__ T from_lane(T mine, unsigned lane) {
  return __shfl_sync(kAllLanes, mine, lane);
}
template <class T>
__device__ Piece<T> from_left(Piece<T> mine, unsigned distance) {
  return {from_left(mine.value, distance), from_left(unsigned{mine.head}, distance) != 0};
}
template <class T>
__device__ Piece<T> from_lane(Piece<T> mine, unsigned lane) {
  return {from_lane(mine.value, lane), from_lane(unsigned{mine.head}, lane) != 0};
}

// Lane i gets x0 op x1 op ... op xi. After the step with distance d a lane holds the last 2 d values
// up to its own. The value from the left stands on the left: op need not be commutative.
template <class Op>
__device__ typename Op::Value warp_inclusive(typename Op::Value mine, Op op = {}) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const auto left = from_left(mine, distance);
    if (lane_id() >= distance) mine = op(left, mine);
  }
  return mine;
}

// Lane i gets x0 op ... op x(i-1), lane 0 the identity. A shuffle from the left gives lane 0 its own
// value back, so without the test lane 0 would hold x0: right for no operation but by accident.
template <class Op>
__device__ typename Op::Value exclusive_of(typename Op::Value inclusive, Op = {}) {
  const auto left = from_left(inclusive, 1);
  return lane_id() == 0 ? Op::identity() : left;
}

template <class Op>
__device__ typename Op::Value warp_exclusive(typename Op::Value mine, Op op = {}) {
  return exclusive_of<Op>(warp_inclusive(mine, op));
}

// Several sums over all lanes at once, each in order; their steps do not wait for each other. Only lane 0
// gets them.
template <class T, int kSums, class Op>
__device__ void ordered_sums(T (&mine)[kSums], Op op) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
#pragma unroll
    for (int k = 0; k < kSums; ++k) mine[k] = op(mine[k], from_right(mine[k], distance));
  }
}

// The ordered sum of all lanes, in every lane.
template <class Op>
__device__ typename Op::Value warp_total(typename Op::Value mine, Op op = {}) {
  return from_lane(warp_inclusive(mine, op), 31);
}

}  // namespace lesson08
