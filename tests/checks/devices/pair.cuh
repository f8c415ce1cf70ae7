// SPDX-License-Identifier: MIT
// Runs every kernel of a corpus on two devices at the same time, once begun on the one first and once on the other. `a`
// is memory of device 0, `b` of device 1; both can use both. Rank 0 runs on device 0. Marks: see corpus.cuh.
#pragma once

#include <cuda/atomic>

#include "../corpus.cuh"

namespace pair {

using Kernel = void (*)(int* a, int* b, int rank);

struct Case {
  const char* name;
  Kernel kernel;
  int grid = 1, block = 32;
};

constexpr std::size_t kBytes = 1024 * sizeof(int);

inline int on_both(const Case& c, int* a, int* b, int first) {
  for (const int device : {0, 1}) {
    CHECK_CUDA(cudaSetDevice(device));
    CHECK_CUDA(cudaMemset(device == 0 ? a : b, 0, kBytes));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  for (const int rank : {first, 1 - first}) {
    CHECK_CUDA(cudaSetDevice(rank));
    c.kernel<<<c.grid, c.block>>>(a, b, rank);
    CHECK_CUDA(cudaGetLastError());
  }
  for (const int device : {0, 1}) {
    CHECK_CUDA(cudaSetDevice(device));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  return 0;
}

template <int kCases>
int run(const Case (&cases)[kCases]) {
  int* memory[2] = {};
  for (const int device : {0, 1}) {
    CHECK_CUDA(cudaSetDevice(device));
    CHECK_CUDA(cudaDeviceEnablePeerAccess(1 - device, 0));
    CHECK_CUDA(cudaMalloc(&memory[device], kBytes));
  }
  for (const Case& c : cases) {
    for (const int first : {0, 1}) {
      if (on_both(c, memory[0], memory[1], first) == 0) continue;
      std::fprintf(stderr, "%s\n", c.name);
      return 1;
    }
  }
  for (int* const m : memory) CHECK_CUDA(cudaFree(m));
  return 0;
}

template <cuda::thread_scope kScope>
using Ref = cuda::atomic_ref<int, kScope>;
using System = Ref<cuda::thread_scope_system>;
using Device = Ref<cuda::thread_scope_device>;

constexpr auto kRelease = cuda::memory_order_release, kAcquire = cuda::memory_order_acquire,
               kRelaxed = cuda::memory_order_relaxed;

}  // namespace pair
