// SPDX-License-Identifier: MIT
// Wrong: the parent that another thread has just written is overwritten, and its tree falls off.
#pragma once

#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ unsigned root(unsigned* parents, unsigned x) {
  for (unsigned up; (up = Word(parents[x]).load(cuda::memory_order_relaxed)) != x;) x = up;
  return x;
}

// From now on a and b have the same root.
__device__ void unite(unsigned* parents, unsigned a, unsigned b) {
  a = root(parents, a), b = root(parents, b);
  if (a != b) Word(parents[max(a, b)]).exchange(min(a, b), cuda::memory_order_relaxed);
}

__global__ void unite_all(unsigned* parents, const unsigned* edges, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) unite(parents, edges[2 * i], edges[2 * i + 1]);
}
__global__ void roots_of_all(unsigned* parents, unsigned nodes, unsigned* roots) {
  for (unsigned i = threadIdx.x; i < nodes; i += blockDim.x) roots[i] = root(parents, i);
}
