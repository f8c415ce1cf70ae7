// SPDX-License-Identifier: MIT
// What the cases of streams.cu use.
#pragma once

#include <cstddef>

constexpr int kN = 1024;

__global__ void put(int* a, int value) { a[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(const int* a, int* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + 1;
}
struct Things {
  int *a, *b, *managed, *pinned;
  cudaStream_t first, second, apart;  // apart: not blocking
  cudaEvent_t event;
  int host[kN];
  // Of the second device, if there is one; words is memory of the first.
  int *far_b, *far_c, *words;
  cudaStream_t far, far_apart;
};

inline void run_put(int* a, cudaStream_t stream) { put<<<kN / 128, 128, 0, stream>>>(a, 7); }
inline void run_add(const int* a, int* b, cudaStream_t stream) {
  add<<<kN / 128, 128, 0, stream>>>(a, b);
}
constexpr std::size_t kBytes = kN * sizeof(int);
