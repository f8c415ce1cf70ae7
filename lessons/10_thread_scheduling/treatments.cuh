// SPDX-License-Identifier: MIT
// A cheap treatment and a costly one, for the CPU and the GPU: exercise costly_ones.
#pragma once

#ifndef __CUDACC__
#define TREATMENT inline
#else
#define TREATMENT __host__ __device__ inline
#endif

TREATMENT bool is_costly(unsigned v) { return v % 8 == 0; }
TREATMENT unsigned cheap(unsigned v) { return v * 1664525u + 1013904223u; }
TREATMENT unsigned costly(unsigned v) {
#ifdef __CUDACC__
#pragma unroll 1
#endif
  for (int i = 0; i < 100; ++i) v = (v ^ (v >> 15)) * 1664525u + 1013904223u;
  return v;
}
