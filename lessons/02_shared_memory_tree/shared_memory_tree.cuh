// SPDX-License-Identifier: MIT
// Lesson 02. A block adds its elements in a tree: half of the threads add the other half's numbers,
// then a quarter, and so on.
//
// Rungs: interleaved   neighbours first; every second thread works, then every fourth: all warps
//                      stay busy, with ever fewer lanes
//        strided       the working threads are the first ones, but their addresses collide in the
//                      banks of shared memory
//        sequential    the first half adds the second half: whole warps, no collisions
//
// Each block writes one partial sum, and the same kernel runs again on the partial sums until one
// is left. One atomicAdd per block would be shorter. But additions to one address are done one
// after the other, as lesson 01 shows, and that queue would hide all that the rungs differ in.
#pragma once

#include <cstddef>

#include "common/check.cuh"
#include "common/sums/rung.cuh"

namespace lesson02 {

using course::Device;
using course::Sum;

// All three begin alike: each thread brings one element to shared memory; past the end of the
// array it brings a zero, which changes no sum.
template <class T>
__device__ T load_or_zero(const T* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  return i < n ? in[i] : T{0};
}

template <class T>
__global__ void interleaved(const T* in, std::size_t n, T* partial) {
  extern __shared__ unsigned char raw[];  // blockDim.x elements; the launch says how many bytes
  T* const s = reinterpret_cast<T*>(raw);
  const unsigned t = threadIdx.x;
  s[t] = load_or_zero(in, n);
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    // Threads 0, 2, 4, ... work, then 0, 4, 8, ...: in every warp some, in no warp all.
    if (t % (2 * distance) == 0) s[t] += s[t + distance];
    __syncthreads();  // outside of the if: every thread of the block must come here
  }
  if (t == 0) partial[blockIdx.x] = s[0];
}

// Changed: thread t works on element 2 * distance * t, so the working threads are 0, 1, 2, ...
// Why:     whole warps work or rest, and a resting warp touches no memory. The % is gone too: a
//          division by a number the compiler does not know, in every thread and every step.
// Cost:    neighbouring threads are 2 * distance words apart, and words whose distance is a
//          multiple of 32 lie in the same bank: the accesses of one warp queue, up to 8 deep in
//          a block of 256 threads, up to 32 deep in one of 1024.
template <class T>
__global__ void strided(const T* in, std::size_t n, T* partial) {
  extern __shared__ unsigned char raw[];
  T* const s = reinterpret_cast<T*>(raw);
  const unsigned t = threadIdx.x;
  s[t] = load_or_zero(in, n);
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned i = 2 * distance * t;
    if (i < blockDim.x) s[i] += s[i + distance];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = s[0];
}

// Changed: thread t of the first half adds element t of the second half; then the half is halved.
// Why:     neighbouring threads touch neighbouring words: every bank once.
// Cost:    none.
template <class T>
__global__ void sequential(const T* in, std::size_t n, T* partial) {
  extern __shared__ unsigned char raw[];
  T* const s = reinterpret_cast<T*>(raw);
  const unsigned t = threadIdx.x;
  s[t] = load_or_zero(in, n);
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = s[0];
}

// Runs a kernel on the array, then on its partial sums, until there is one. The partial sums of
// one pass lie beside those of the next: a block that is done early must not write over what
// another one still has to read.
template <class T>
void reduce_in_passes(void (*kernel)(const T*, std::size_t, T*), const Sum<T>& s) {
  const T* in = s.in;
  std::size_t n = s.n;
  T* next = s.partials;
  for (;;) {
    // The sum of nothing is 0, and somebody must write it: at least one block.
    const auto blocks = n == 0 ? 1u : static_cast<unsigned>((n + s.block - 1) / s.block);
    T* const to = blocks == 1 ? s.out : next;
    kernel<<<blocks, s.block, s.block * sizeof(T)>>>(in, n, to);
    COURSE_CHECK(cudaGetLastError());
    if (blocks == 1) return;
    next = to + blocks;
    in = to;
    n = blocks;
  }
}

template <class T>
void launch_interleaved(const Sum<T>& s) {
  reduce_in_passes(&interleaved<T>, s);
}
template <class T>
void launch_strided(const Sum<T>& s) {
  reduce_in_passes(&strided<T>, s);
}
template <class T>
void launch_sequential(const Sum<T>& s) {
  reduce_in_passes(&sequential<T>, s);
}

// How many additions an element goes through: log2(block) in each pass.
inline double depth(std::size_t n, int block, const Device&) {
  double additions = 1;
  for (; n > 1; n = (n + block - 1) / block) {
    for (int b = block; b > 1; b /= 2) ++additions;
  }
  return additions;
}

inline constexpr course::Rung kRungs[] = {
    {"interleaved", "a tree in shared memory: neighbours first, every second thread works",
     &launch_interleaved<float>, &launch_interleaved<int>, &depth},
    {"strided", "the first threads work, whole warps rest; but their words share banks",
     &launch_strided<float>, &launch_strided<int>, &depth},
    {"sequential", "the first half adds the second half: no bank conflicts",
     &launch_sequential<float>, &launch_sequential<int>, &depth},
};
inline constexpr course::Lesson kLesson{"02_shared_memory_tree",
                                        "How do threads of a block add without queueing?", kRungs};

}  // namespace lesson02
