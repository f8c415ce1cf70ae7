// SPDX-License-Identifier: MIT
// Wrong: between the look at the root and the store another thread hangs it up.
#pragma once

#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ unsigned root(unsigned* parents, unsigned x) {
  for (unsigned up; (up = Word(parents[x]).load(cuda::memory_order_relaxed)) != x;) x = up;
  return x;
}

// From now on a and b have the same root.
__device__ void unite(unsigned* parents, unsigned a, unsigned b) {
  for (;;) {
    a = root(parents, a), b = root(parents, b);
    if (a == b) return;
    const unsigned large = max(a, b);
    if (Word(parents[large]).load(cuda::memory_order_relaxed) != large) continue;
    return Word(parents[large]).store(min(a, b), cuda::memory_order_relaxed);
  }
}

__global__ void unite_all(unsigned* parents, const unsigned* edges, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) unite(parents, edges[2 * i], edges[2 * i + 1]);
}
__global__ void roots_of_all(unsigned* parents, unsigned nodes, unsigned* roots) {
  for (unsigned i = threadIdx.x; i < nodes; i += blockDim.x) roots[i] = root(parents, i);
}
