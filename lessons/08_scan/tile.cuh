// SPDX-License-Identifier: MIT
// A tile: what one block scans at a time. Its elements stay in registers between the load and the
// store.
//
// Each warp owns a stretch of the tile, in rows of 128 elements; of each row a lane has four in a row,
// 16 bytes. So loads and stores are as wide as they can be, every sector is used whole, and nothing
// goes through shared memory but one value per warp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lessons/08_scan/warp_scan.cuh"

namespace lesson08 {

template <class T>
struct alignas(4 * sizeof(T)) Quad {
  T v[4];
};

template <class T>
__host__ __device__ bool aligned_for_quads(const T* p) {
  return reinterpret_cast<std::uintptr_t>(p) % sizeof(Quad<T>) == 0;
}

// Each thread has kRows rows of four elements.
template <class Op, int kRows>
struct Tile {
  using T = typename Op::Value;

  T x[kRows][4];  // after scan_in_warp(): scanned over the warp's stretch

  __host__ __device__ static constexpr std::size_t size(unsigned threads) {
    return std::size_t{4} * kRows * threads;
  }
  // Where this thread's four of row 0 are; row r is 128 r further.
  __device__ static unsigned first() {
    return threadIdx.x / 32 * (128 * kRows) + threadIdx.x % 32 * 4;
  }

  // The tile begins at `in` and has n elements, at most `whole` = size(threads). What is behind the
  // end counts as identity. `quads`: the tile's begin is aligned, so that four can be read at once.
  __device__ void load(const T* in, std::size_t n, std::size_t whole, bool quads) {
    in += first();
    if (quads && n >= whole) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) set(r, *reinterpret_cast<const Quad<T>*>(in + 128 * r));
      return;
    }
    const std::size_t mine = n > first() ? n - first() : 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      if (quads && 128 * r + 4 <= mine) {
        set(r, *reinterpret_cast<const Quad<T>*>(in + 128 * r));
      } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) x[r][k] = 128 * r + k < mine ? in[128 * r + k] : Op::identity();
      }
    }
  }
  // Elements [from, n) of the tile only: the last ones of an array, fewer than four.
  __device__ void load_rest(const T* in, unsigned from, unsigned n) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const unsigned at = first() + 128 * r + k;
        if (at >= from && at < n) x[r][k] = in[at];
      }
    }
  }
  // body(where it is from first() on, the element) for each element of this thread.
  template <class Body>
  __device__ void for_each(Body body) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int k = 0; k < 4; ++k) body(128u * r + k, x[r][k]);
    }
  }
  __device__ void set(int r, const Quad<T>& q) {
#pragma unroll
    for (int k = 0; k < 4; ++k) x[r][k] = q.v[k];
  }

  // The sum of the warp's stretch, in order; only lane 0 gets it.
  __device__ T sum_in_warp(Op op = {}) const {
    T row[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) row[r] = op(op(x[r][0], x[r][1]), op(x[r][2], x[r][3]));
    if constexpr (Op::kAnyOrder) {  // one sum per lane first: then five shuffles do for all rows
      T mine[1] = {row[0]};
#pragma unroll
      for (int r = 1; r < kRows; ++r) mine[0] = op(mine[0], row[r]);
      ordered_sums(mine, op);
      return mine[0];
    } else {
      ordered_sums(row, op);
#pragma unroll
      for (int r = 1; r < kRows; ++r) row[0] = op(row[0], row[r]);
      return row[0];
    }
  }

  // Scans the warp's stretch: each four by itself, then each row over the lanes, then the rows.
  // Returns the stretch's sum, the same in all lanes.
  __device__ T scan_in_warp(Op op = {}) {
    T inclusive[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int k = 1; k < 4; ++k) x[r][k] = op(x[r][k - 1], x[r][k]);
      inclusive[r] = x[r][3];
    }
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {  // the rows' steps do not wait for each other
        const T left = from_left(inclusive[r], distance);
        if (lane_id() >= distance) inclusive[r] = op(left, inclusive[r]);
      }
    }
    T sum = Op::identity();
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const T before = op(sum, exclusive_of<Op>(inclusive[r]));
#pragma unroll
      for (int k = 0; k < 4; ++k) x[r][k] = op(before, x[r][k]);
      sum = op(sum, from_lane(inclusive[r], 31));
    }
    return sum;
  }

  // With what comes before the warp's stretch: this lane's four of row r. All lanes call. An exclusive
  // scan leaves out the element itself: the first of the four gets what the lane before has last, that
  // of lane 0 what the row before has last.
  template <bool kExclusive>
  __device__ Quad<T> result(int r, T prefix, Op op = {}) const {
    T before = Op::identity();
    if constexpr (kExclusive) {
      const T left = from_left(x[r][3], 1);
      const T row = r == 0 ? Op::identity() : from_lane(x[r == 0 ? 0 : r - 1][3], 31);
      before = lane_id() == 0 ? row : left;
    }
    Quad<T> q;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      q.v[k] = op(prefix, !kExclusive ? x[r][k] : k == 0 ? before : x[r][k - 1]);
    return q;
  }

  template <bool kExclusive>
  __device__ void store(T* out, std::size_t n, std::size_t whole, bool quads, T prefix) const {
    out += first();
    const std::size_t mine = n > first() ? n - first() : 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const Quad<T> q = result<kExclusive>(r, prefix);
      if (quads && (n >= whole || 128 * r + 4 <= mine)) {
        *reinterpret_cast<Quad<T>*>(out + 128 * r) = q;
      } else {
#pragma unroll
        for (int k = 0; k < 4; ++k)
          if (128 * r + k < mine) out[128 * r + k] = q.v[k];
      }
    }
  }
};

// The sums of the block's warps meet in shared memory. A warp that has all of them knows what comes
// before each warp, and the block's sum.
template <class Op>
struct WarpSums {
  using T = typename Op::Value;
  T of_warp[32];

  // After a barrier, by all lanes of one warp: the sum of the warps before warp lane_id().
  struct Scanned {
    T before, total;
  };
  __device__ Scanned scan(unsigned warps, Op op = {}) const {
    const T mine = lane_id() < warps ? of_warp[lane_id()] : Op::identity();
    const T inclusive = warp_inclusive(mine, op);
    return {exclusive_of<Op>(inclusive), from_lane(inclusive, 31)};
  }
};

}  // namespace lesson08
