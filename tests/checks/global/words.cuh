// SPDX-License-Identifier: MIT
// What the kernels of global memory share.
#pragma once

#include <cooperative_groups.h>

#include <cuda/atomic>

namespace cg = cooperative_groups;

__device__ int volatile_read(const int* p) { return *reinterpret_cast<const volatile int*>(p); }
__device__ void volatile_write(int* p, int value) { *reinterpret_cast<volatile int*>(p) = value; }

template <cuda::thread_scope kScope>
__device__ cuda::atomic_ref<int, kScope> ref(int& word) {
  return cuda::atomic_ref<int, kScope>(word);
}
constexpr auto kDevice = cuda::thread_scope_device;
constexpr auto kBlock = cuda::thread_scope_block;
