// SPDX-License-Identifier: MIT
// Wrong: starts[256] says where all points end.
#pragma once

__global__ void sort_cells(const unsigned* cells, unsigned n, unsigned* starts, unsigned* order) {
  __shared__ unsigned counts[256], next[256];
  const unsigned t = threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  for (unsigned i = t; i < n; i += 256) atomicAdd(counts + cells[i], 1u);
  __syncthreads();
  unsigned before = 0;
  for (unsigned c = 0; c < t; ++c) before += counts[c];
  starts[t] = next[t] = before;
  __syncthreads();
  for (unsigned i = t; i < n; i += 256) order[atomicAdd(next + cells[i], 1u)] = i;
}
