// SPDX-License-Identifier: MIT
// Exercise warp_in_step: others[i] is the sum of the block that x[i] is in, less x[i].
//
// The kernel is launched with blocks of 256 threads, one per 256 elements, and at least one. The
// last 64 values of the tree are added by one warp, and its lanes need not be in step.
#pragma once

#include <cstddef>

constexpr unsigned kBlock = 256;

__global__ void sums_of_others(const int* x, std::size_t n, int* others) {
  __shared__ int s[kBlock];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kBlock + t;
  const int mine = i < n ? x[i] : 0;
  s[t] = mine;
  __syncthreads();
  for (unsigned half = kBlock / 2; half > 32; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) {
    // <solution>
    // In each step lanes write below `half` and read from each other only above it: nobody
    // overwrites what another lane still needs.
    for (unsigned half = 32; half > 0; half /= 2) {
      if (t < half) s[t] += s[t + half];
      __syncwarp();  // what this step wrote, the next one reads
    }
    // <starter>
    //| // TODO: this is right only if all 32 lanes read before one of them writes, in every step.
    //| volatile int* v = s;
    //| for (unsigned half = 32; half > 0; half /= 2) v[t] = v[t] + v[t + half];
    // </solution>
  }
  __syncthreads();
  if (i < n) others[i] = s[0] - mine;
}
