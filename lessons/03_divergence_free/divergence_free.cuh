// SPDX-License-Identifier: MIT
// Lesson 03. The tree of lesson 02 leaves most threads idle most of the time. Here every thread
// has work, and waits less.
//
// Rungs: first_add_on_load   two elements per thread: one addition is done while loading
//        grid_stride         as many blocks as the GPU holds; each thread adds its share first
//        last_warp           the last 32 values need no barrier of the block, only one of the warp
//        unrolled            the block size is known to the compiler: no loop is left in the tree
//        vector_load         16 bytes per load instead of 4
//        one_atomic          each block adds its sum to the result: one kernel, and no second pass
#pragma once

#include <cstddef>

#include "common/check.cuh"
#include "common/launch.cuh"
#include "common/sums/rung.cuh"
#include "lessons/03_divergence_free/shares.cuh"

namespace lesson03 {

using course::Device;
using course::full_grid;
using course::Sum;
using course::with_block;

// The last tree of lesson 02, over the values that the block has put into s. The result is in s[0],
// for thread 0 to read. The barrier comes first in each step: it waits for what was written before.
template <class T>
__device__ void tree(T* s) {
  const unsigned t = threadIdx.x;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) s[t] += s[t + half];
  }
}

// Changed: each thread adds two elements before the tree begins.
// Why:     in lesson 02 half of the threads did nothing but load. Now half as many blocks, and half
//          as many trees and barriers, do the same work.
// Cost:    none.
template <class T>
__global__ void first_add_on_load(const T* in, std::size_t n, T* partial) {
  extern __shared__ unsigned char raw[];
  T* const s = reinterpret_cast<T*>(raw);
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x * 2 + threadIdx.x;
  T mine = i < n ? in[i] : T{0};
  if (i + blockDim.x < n) mine += in[i + blockDim.x];
  s[threadIdx.x] = mine;
  tree(s);
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

// Changed: the grid has as many blocks as the GPU holds at once, whatever n is; each thread loops.
// Why:     a thread adds many elements in a register, for one addition each, before the tree and
//          its barriers come, once.
// Cost:    a longer chain of additions can round more: the error bound grows with n / threads.
template <class T>
__global__ void grid_stride(const T* in, std::size_t n, T* partial) {
  extern __shared__ unsigned char raw[];
  T* const s = reinterpret_cast<T*>(raw);
  s[threadIdx.x] = my_share(in, n);
  tree(s);
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

// Changed: when 32 values are left, only the first warp goes on, and waits for its own lanes only.
// Why:     __syncthreads() makes all warps of the block wait; the last five steps concern one warp
//          alone.
// Cost:    care. Lanes of a warp are NOT implicitly in step: what one lane reads, another must have
//          written before, and may not overwrite too early. __syncwarp() stands between.
//          Old code does without, behind `volatile`; since Volta that is wrong.
template <class T>
__device__ void tree_last_warp(T* s) {
  const unsigned t = threadIdx.x;
  for (unsigned half = blockDim.x / 2; half >= 32; half /= 2) {
    __syncthreads();
    if (t < half) s[t] += s[t + half];
  }
  __syncthreads();
  if (t >= 32) return;
  T mine = s[t];
  for (unsigned half = 16; half > 0; half /= 2) {
    const T other = s[t + half < 32 ? t + half : t];
    __syncwarp();  // all have read ...
    if (t < half) s[t] = mine += other;
    __syncwarp();  // ... and written, before the next step reads
  }
}

template <class T>
__global__ void last_warp(const T* in, std::size_t n, T* partial) {
  extern __shared__ unsigned char raw[];
  T* const s = reinterpret_cast<T*>(raw);
  s[threadIdx.x] = my_share(in, n);
  tree_last_warp(s);
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

// Changed: the block size is a template parameter.
// Why:     the compiler knows every step: it drops the loop, its counter and its test.
// Cost:    one compiled kernel per block size.
template <int kBlock, class T>
__device__ void tree_unrolled(T* s) {
  const unsigned t = threadIdx.x;
  __syncthreads();
#pragma unroll
  for (int half = kBlock / 2; half >= 32; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t >= 32) return;
  T mine = s[t];
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    const T other = s[t + half < 32 ? t + half : t];
    __syncwarp();
    if (t < half) s[t] = mine += other;
    __syncwarp();
  }
}

template <class T, int kBlock>
__global__ void unrolled(const T* in, std::size_t n, T* partial) {
  __shared__ T s[kBlock];
  s[threadIdx.x] = my_share(in, n);
  tree_unrolled<kBlock>(s);
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

// Changed: each load brings 16 bytes.
// Why:     a quarter of the load instructions for the same bytes, and four times the bytes on their
//          way per instruction.
// Cost:    the odd elements at both ends are added one by one (my_share_vector in shares.cuh).
template <class T, int kBlock>
__global__ void vector_load(const T* in, std::size_t n, T* partial) {
  __shared__ T s[kBlock];
  s[threadIdx.x] = my_share_vector(in, n);
  tree_unrolled<kBlock>(s);
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

// Changed: each block adds its sum to the result by one atomic addition. There is no second pass.
// Why:     a full grid has about a thousand blocks, and they end at different times: a thousand
//          additions to one word are cheap where the 67 million of lesson 01 were not.
// Cost:    the result must be zero before, and blocks end in any order: the last bits of a float
//          sum may differ from run to run.
template <class T, int kBlock>
__global__ void one_atomic(const T* in, std::size_t n, T* out) {
  __shared__ T s[kBlock];
  s[threadIdx.x] = my_share_vector(in, n);
  tree_unrolled<kBlock>(s);
  if (threadIdx.x == 0) atomicAdd(out, s[0]);
}

// ---- launchers

template <class T>
void launch_first_add_on_load(const Sum<T>& s) {
  const T* in = s.in;
  std::size_t n = s.n;
  T* next = s.partials;
  for (;;) {
    const std::size_t per_block = 2 * static_cast<std::size_t>(s.block);
    const auto blocks = n == 0 ? 1u : static_cast<unsigned>((n + per_block - 1) / per_block);
    T* const to = blocks == 1 ? s.out : next;
    first_add_on_load<<<blocks, s.block, s.block * sizeof(T)>>>(in, n, to);
    COURSE_CHECK(cudaGetLastError());
    if (blocks == 1) return;
    next = to + blocks;
    in = to;
    n = blocks;
  }
}

// A grid-stride kernel needs two passes, whatever n is: the second has one block, whose threads
// loop over the partial sums of the first.
template <class T>
void in_two_passes(void (*kernel)(const T*, std::size_t, T*), unsigned blocks,
                   std::size_t shared_bytes, const Sum<T>& s) {
  kernel<<<blocks, s.block, shared_bytes>>>(s.in, s.n, s.partials);
  COURSE_CHECK(cudaGetLastError());
  kernel<<<1, s.block, shared_bytes>>>(s.partials, blocks, s.out);
  COURSE_CHECK(cudaGetLastError());
}

template <class T>
void launch_grid_stride(const Sum<T>& s) {
  in_two_passes(&grid_stride<T>, full_grid(*s.device, s.n, s.block), s.block * sizeof(T), s);
}
template <class T>
void launch_last_warp(const Sum<T>& s) {
  in_two_passes(&last_warp<T>, full_grid(*s.device, s.n, s.block), s.block * sizeof(T), s);
}

// From here on the compiler knows the size of the shared array too: the launch asks for 0 bytes.
template <class T>
void launch_unrolled(const Sum<T>& s) {
  const unsigned blocks = full_grid(*s.device, s.n, s.block);
  with_block(s.block, [&](auto block) { in_two_passes(&unrolled<T, block.value>, blocks, 0, s); });
}
template <class T>
void launch_vector_load(const Sum<T>& s) {
  const unsigned blocks = full_grid(*s.device, s.n / 4 + 1, s.block);
  with_block(s.block,
             [&](auto block) { in_two_passes(&vector_load<T, block.value>, blocks, 0, s); });
}

template <class T>
void launch_one_atomic(const Sum<T>& s) {
  const unsigned blocks = full_grid(*s.device, s.n / 4 + 1, s.block);
  COURSE_CHECK(cudaMemsetAsync(s.out, 0, sizeof(T)));
  with_block(s.block, [&](auto block) {
    one_atomic<T, block.value><<<blocks, s.block>>>(s.in, s.n, s.out);
  });
  COURSE_CHECK(cudaGetLastError());
}

// How many additions an element goes through, at most: log2(2 * block) in each pass.
inline double depth_tree(std::size_t n, int block, const Device&) {
  double additions = 1;
  for (; n > 1; n = (n + 2 * block - 1) / (2 * block)) {
    for (int b = 2 * block; b > 1; b /= 2) ++additions;
  }
  return additions;
}

// A thread's share in each of the two passes, each followed by a tree of at most 10 steps; and a
// few for the inner sums and the two ends of vector_load.
inline double depth_share(std::size_t n, int block, const Device& device) {
  const unsigned blocks = full_grid(device, n, block);
  const double threads = static_cast<double>(blocks) * block;
  return static_cast<double>(n) / threads + static_cast<double>(blocks) / block + 2 * 10 + 8;
}

// A thread's share and a tree; and every block's sum is added to those of all others.
inline double depth_atomic(std::size_t n, int block, const Device& device) {
  const double blocks = full_grid(device, n, block);
  return static_cast<double>(n) / (blocks * block) + blocks + 10 + 8;
}

inline constexpr course::Rung kRungs[] = {
    {"first_add_on_load", "each thread adds two elements while loading",
     &launch_first_add_on_load<float>, &launch_first_add_on_load<int>, &depth_tree},
    {"grid_stride", "as many blocks as fit; each thread loops over its share",
     &launch_grid_stride<float>, &launch_grid_stride<int>, &depth_share},
    {"last_warp", "the last warp waits for its own lanes only (__syncwarp)",
     &launch_last_warp<float>, &launch_last_warp<int>, &depth_share},
    {"unrolled", "the block size is known to the compiler", &launch_unrolled<float>,
     &launch_unrolled<int>, &depth_share},
    {"vector_load", "16 bytes per load", &launch_vector_load<float>, &launch_vector_load<int>,
     &depth_share},
    {"one_atomic", "each block adds its sum to the result: no second pass",
     &launch_one_atomic<float>, &launch_one_atomic<int>, &depth_atomic},
};
inline constexpr course::Lesson kLesson{
    "03_divergence_free", "What do idle lanes, idle threads and barriers cost?", kRungs};

}  // namespace lesson03
