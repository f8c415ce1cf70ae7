// SPDX-License-Identifier: MIT
// Wrong: more than 256 points take several rounds.
#pragma once

__global__ void sort_cells(const unsigned* cells, unsigned n, unsigned* starts, unsigned* order) {
  __shared__ unsigned counts[256], next[256];
  const unsigned t = threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  if (const unsigned i = t; i < n) atomicAdd(counts + cells[i], 1u);
  __syncthreads();
  unsigned before = 0;
  for (unsigned c = 0; c < t; ++c) before += counts[c];
  starts[t] = next[t] = before;
  if (t == 255) starts[256] = before + counts[255];
  __syncthreads();
  if (const unsigned i = t; i < n) order[atomicAdd(next + cells[i], 1u)] = i;
}
