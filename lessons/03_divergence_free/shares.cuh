// SPDX-License-Identifier: MIT
// What one thread of a grid-stride kernel adds up, in a register, before any thread talks to
// another: first with loads of one element, then with loads of four. Lessons 04 and 05 build on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda/std/bit>

namespace lesson03 {

// Elements t, t + stride, t + 2 stride, ... where stride is the number of threads in the grid.
// Neighbouring threads read neighbouring elements in every round, so each warp's load is one
// stretch of memory. It works for any n and any grid.
template <class T>
__device__ T my_share(const T* in, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  T mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
    mine += in[i];
  return mine;
}

// Four elements of 4 bytes: what one load instruction can bring.
template <class T>
struct alignas(16) Four {
  T x, y, z, w;
};

// The same load with the hint that nobody will need these bytes again: of all that is in the cache
// they may go first. Lesson 05 measures when that helps.
template <class T>
__device__ Four<T> load_once(const Four<T>* from) {
  return cuda::std::bit_cast<Four<T>>(__ldcs(reinterpret_cast<const uint4*>(from)));
}

// An array of n elements that begins anywhere, seen as whole fours. A 16-byte load needs an address
// that is a multiple of 16: at most three elements lie before the first such address, at most
// three behind the last whole four.
template <class T>
struct Fours {
  const Four<T>* data;
  std::size_t count;  // whole fours
  std::size_t head;   // elements before them
  std::size_t tail;   // index of the first element behind them
};

template <class T>
__host__ __device__ Fours<T> as_fours(const T* in, std::size_t n) {
  const std::size_t past = reinterpret_cast<std::uintptr_t>(in) % sizeof(Four<T>) / sizeof(T);
  const std::size_t before = past == 0 ? 0 : 4 - past;
  const std::size_t head = before < n ? before : n;
  const std::size_t count = (n - head) / 4;
  return {reinterpret_cast<const Four<T>*>(in + head), count, head, head + 4 * count};
}

// The same share in fours: thread t has four number t, t + stride, t + 2 stride, ... The odd
// elements at both ends are added one by one, by the first threads of the grid.
template <class T>
__device__ T my_share_vector(const T* in, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const Fours<T> fours = as_fours(in, n);
  T mine = 0;
  for (std::size_t i = me; i < fours.count; i += stride) {
    const Four<T> v = fours.data[i];
    mine += (v.x + v.y) + (v.z + v.w);
  }
  if (me < fours.head) mine += in[me];
  if (fours.tail + me < n) mine += in[fours.tail + me];
  return mine;
}

}  // namespace lesson03
