// SPDX-License-Identifier: MIT
// Which numbers a block works on, and the one thing that all kernels do with them: arrays are added, number by number,
// and the sums are put somewhere.
#pragma once

#include <cstddef>

namespace lesson14 {

// Where part `part` of `parts` of [begin, end) begins: parts differ by one at most, and may be empty.
__host__ __device__ inline std::size_t part_begin(std::size_t begin, std::size_t end, int part,
                                                  int parts) {
  const auto size = end - begin, p = static_cast<std::size_t>(part),
             all = static_cast<std::size_t>(parts);
  return begin + size / all * p + (size % all < p ? size % all : p);
}

// The numbers that a block works on, the same in all ranks; and the part of them that belongs to a rank.
struct Span {
  std::size_t begin, end;
};
__device__ inline Span part_of(Span span, int part, int parts) {
  return {part_begin(span.begin, span.end, part, parts),
          part_begin(span.begin, span.end, part + 1, parts)};
}
__device__ inline Span span_of_block(std::size_t n) {
  return part_of({0, n}, static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x));
}

template <class Body>
__device__ void each(Span span, Body body) {
  for (std::size_t i = span.begin + threadIdx.x; i < span.end; i += blockDim.x) body(i);
}

// For every i of the span: put(i, array(0)[i] + array(1)[i] + ...), always added in this order: the same bits everywhere.
//
// A memory, and a link all the more, is only busy when much has been asked for. So a thread asks for eight numbers of an
// array, and of the next array, before it needs the first of them; then for four, two, one, whatever is left. With put
// right behind each load it would ask for one at a time: the compiler cannot know that what is written is not what is
// read next.
template <unsigned kAtOnce = 8, class Array, class Put>
__device__ void add_up(Span span, int arrays, Array array, Put put) {
  const unsigned apart = blockDim.x;
  std::size_t i = span.begin + threadIdx.x;
  for (; i + (kAtOnce - 1) * apart < span.end; i += kAtOnce * apart) {
    float sum[kAtOnce] = {};
#pragma unroll(16 / kAtOnce)
    for (int a = 0; a < arrays; ++a) {
      const float* const from = array(a) + i;
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) sum[k] += from[k * apart];
    }
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) put(i + k * apart, sum[k]);
  }
  if constexpr (kAtOnce > 1) add_up<kAtOnce / 2>({i - threadIdx.x, span.end}, arrays, array, put);
}
__device__ inline void copy(Span span, float* to, const float* from) {
  add_up(
      span, 1, [=](int) { return from; }, [=](std::size_t i, float x) { to[i] = x; });
}
__device__ inline void add(Span span, float* to, const float* a, const float* b) {
  add_up(
      span, 2, [=](int k) { return k == 0 ? a : b; },
      [=](std::size_t i, float sum) { to[i] = sum; });
}

}  // namespace lesson14
