// SPDX-License-Identifier: MIT
// Lesson 01. The obvious parallel sum: every thread adds its element to one variable.
//
// Rungs: global_atomic   the variable is in global memory
//        shared_atomic   one variable per block, in shared memory; then one addition per block
#pragma once

#include <cstddef>

#include "common/check.cuh"
#include "common/sums/rung.cuh"

namespace lesson01 {

using course::Device;
using course::Sum;

// One thread per element. atomicAdd reads, adds and writes as one step, so no addition is lost. But
// all of them want the same address, and the memory takes them one after the other: the threads
// are parallel, the additions are not.
template <class T>
__global__ void global_atomic(const T* in, std::size_t n, T* total) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // The last block may be only partly filled: without the test it would read past the end.
  if (i < n) atomicAdd(total, in[i]);
}

// Changed: each block has its own variable, in shared memory, and adds it to the total once.
// Why:     shared memory is on the multiprocessor: the way to it is shorter, and there is one queue
//          per block instead of one for all.
// Cost:    two barriers, and still one element after the other inside the block.
template <class T>
__global__ void shared_atomic(const T* in, std::size_t n, T* total) {
  __shared__ T block_total;
  if (threadIdx.x == 0) block_total = 0;
  __syncthreads();  // nobody may add before it is zero
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&block_total, in[i]);
  __syncthreads();  // nobody may read before all have added
  if (threadIdx.x == 0) atomicAdd(total, block_total);
}

// Both kernels add to *out, so it must be zero before they start. If n is 0, that zero is the
// answer: a grid of no blocks would be an error.
template <class T>
void add_to_out(void (*kernel)(const T*, std::size_t, T*), const Sum<T>& s) {
  COURSE_CHECK(cudaMemsetAsync(s.out, 0, sizeof(T)));
  const auto blocks = static_cast<unsigned>((s.n + s.block - 1) / s.block);  // rounded up
  if (blocks == 0) return;
  kernel<<<blocks, s.block>>>(s.in, s.n, s.out);
  COURSE_CHECK(cudaGetLastError());
}

template <class T>
void launch_global_atomic(const Sum<T>& s) {
  add_to_out(&global_atomic<T>, s);
}
template <class T>
void launch_shared_atomic(const Sum<T>& s) {
  add_to_out(&shared_atomic<T>, s);
}

// How many additions an element goes through, at most (the error bound needs it): all n of them;
// those of its block, then one per block.
inline double depth_global(std::size_t n, int, const Device&) { return static_cast<double>(n); }
inline double depth_shared(std::size_t n, int block, const Device&) {
  return block + static_cast<double>(n) / block + 1;
}

inline constexpr course::Rung kRungs[] = {
    {"global_atomic", "every thread: atomicAdd to one variable in global memory",
     &launch_global_atomic<float>, &launch_global_atomic<int>, &depth_global},
    {"shared_atomic", "one variable per block in shared memory, then one atomicAdd per block",
     &launch_shared_atomic<float>, &launch_shared_atomic<int>, &depth_shared},
};
inline constexpr course::Lesson kLesson{
    "01_naive_atomic", "Why is the obvious parallel sum slower than one CPU core?", kRungs};

}  // namespace lesson01
