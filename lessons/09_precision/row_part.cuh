// SPDX-License-Identifier: MIT
// What the kernels that go through rows have in common: a task with its type, packs of 16 bytes of a
// row, the sum over a block that every thread gets.
#pragma once

#include "common/check.cuh"
#include "common/sums/rmsnorm.hpp"
#include "lessons/09_precision/stored.cuh"

namespace lesson09 {

using course::RmsNorm;

template <class S>
struct Rows {
  const S* x;
  const S* residual;  // null: there is none
  const S* weight;
  S* out;
  S* sum;
  std::size_t rows;
  unsigned columns;
  float epsilon;
  bool vectors;  // every row begins at an aligned address and is whole packs

  explicit Rows(const RmsNorm& t)
      : x(static_cast<const S*>(t.x)),
        residual(static_cast<const S*>(t.residual)),
        weight(static_cast<const S*>(t.weight)),
        out(static_cast<S*>(t.out)),
        sum(static_cast<S*>(t.sum)),
        rows(t.rows),
        columns(t.columns),
        epsilon(t.epsilon),
        vectors(reinterpret_cast<std::uintptr_t>(t.x) % 16 == 0 && t.columns % kPack<S> == 0) {}
  unsigned packs() const { return (columns + kPack<S> - 1) / kPack<S>; }
  __device__ float scale(float squares) const {
    return rsqrtf(squares / static_cast<float>(columns) + epsilon);
  }
};

template <class Body>
void with_rows(const RmsNorm& t, Body body) {
  if (t.rows == 0) return;
  if (t.stored == course::Stored::kF16)
    body(Rows<__half>(t));
  else if (t.stored == course::Stored::kBf16)
    body(Rows<__nv_bfloat16>(t));
  else
    body(Rows<float>(t));
  COURSE_CHECK(cudaGetLastError());
}

// Pack number p of a row: what lies behind the row is zero, and is not written.
template <class S>
__device__ uint4 load_pack(const S* row, unsigned p, unsigned columns, bool vectors) {
  if (vectors) return reinterpret_cast<const uint4*>(row)[p];
  float x[kPack<S>];
#pragma unroll
  for (unsigned i = 0; i < kPack<S>; ++i)
    x[i] = p * kPack<S> + i < columns ? widened(row[p * kPack<S> + i]) : 0.0f;
  return narrow<S>(x);
}
template <class S>
__device__ void store_pack(S* row, unsigned p, unsigned columns, bool vectors, const uint4& pack) {
  if (vectors) {
    reinterpret_cast<uint4*>(row)[p] = pack;
    return;
  }
  float x[kPack<S>];
  widen<S>(pack, x);
#pragma unroll
  for (unsigned i = 0; i < kPack<S>; ++i)
    if (p * kPack<S> + i < columns) row[p * kPack<S> + i] = narrowed<S>(x[i]);
}

template <class S>
__device__ float squares_of(const uint4& pack) {
  float x[kPack<S>], sum = 0;
  widen<S>(pack, x);
#pragma unroll
  for (const float v : x) sum += v * v;
  return sum;
}
template <class S>
__device__ uint4 sum_of(const uint4& a, const uint4& b) {
  float x[kPack<S>], y[kPack<S>];
  widen<S>(a, x);
  widen<S>(b, y);
#pragma unroll
  for (int i = 0; i < kPack<S>; ++i) x[i] += y[i];
  return narrow<S>(x);
}
template <class S>
__device__ uint4 scaled(const uint4& pack, float scale, const uint4& weight) {
  float x[kPack<S>], w[kPack<S>];
  widen<S>(pack, x);
  widen<S>(weight, w);
#pragma unroll
  for (int i = 0; i < kPack<S>; ++i) x[i] = x[i] * scale * w[i];
  return narrow<S>(x);
}

// A thread's part of an aligned row: packs first, first + stride, ..., kept in registers.
template <class S, int kPacks>
struct Part {
  uint4 pack[kPacks];

  __device__ void load(const S* row, unsigned first, unsigned stride, unsigned packs) {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const unsigned p = first + k * stride;
      pack[k] = p < packs ? reinterpret_cast<const uint4*>(row)[p] : uint4{0, 0, 0, 0};
    }
  }
  __device__ void store(S* row, unsigned first, unsigned stride, unsigned packs) const {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const unsigned p = first + k * stride;
      if (p < packs) reinterpret_cast<uint4*>(row)[p] = pack[k];
    }
  }
  __device__ void add(const Part& other) {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) pack[k] = sum_of<S>(pack[k], other.pack[k]);
  }
  __device__ float squares() const {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kPacks; ++k) sum += squares_of<S>(pack[k]);
    return sum;
  }
  __device__ void scale(float by, const Part& weight) {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) pack[k] = scaled<S>(pack[k], by, weight.pack[k]);
  }
  // The same where there are no registers for all weights at once.
  __device__ void store_scaled(S* row, float by, const S* weight, unsigned first, unsigned stride,
                               unsigned packs) const {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const unsigned p = first + k * stride;
      if (p >= packs) continue;
      const uint4 w = reinterpret_cast<const uint4*>(weight)[p];
      reinterpret_cast<uint4*>(row)[p] = scaled<S>(pack[k], by, w);
    }
  }
};

// Over groups of `lanes` neighbouring lanes; every lane gets the sum.
__device__ inline float lanes_total(float mine, unsigned lanes = 32) {
#pragma unroll
  for (unsigned bits = 16; bits > 0; bits /= 2)
    if (bits < lanes) mine += __shfl_xor_sync(0xffffffffu, mine, bits);
  return mine;
}

// Over the block; every thread gets the sum, after one barrier: each warp adds up all warps' sums for
// itself. `of_warp` may be used again after the barrier of another call with another one.
__device__ inline float block_total(float mine, float (&of_warp)[32]) {
  mine = lanes_total(mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  return lanes_total(threadIdx.x % 32 < blockDim.x / 32 ? of_warp[threadIdx.x % 32] : 0.0f);
}

}  // namespace lesson09
