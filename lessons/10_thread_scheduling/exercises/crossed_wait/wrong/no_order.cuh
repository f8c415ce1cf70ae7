// SPDX-License-Identifier: MIT
// Wrong: a volatile word is seen at once, and orders nothing.
#pragma once

#include "lessons/10_thread_scheduling/signals.cuh"

__global__ void relay(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[16];
  __shared__ unsigned written;
  if (threadIdx.x == 0) written = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * 32 + threadIdx.x, mine = in[i];
  if (threadIdx.x >= 16) {
    values[threadIdx.x - 16] = mine;
    __syncwarp(0xffff0000u);
    if (threadIdx.x == 16) *static_cast<volatile unsigned*>(&written) = 1;
    out[i] = mine;
  } else {
    while (*static_cast<volatile unsigned*>(&written) == 0) {
    }
    unsigned sum = mine;
    for (unsigned k = 0; k < 16; ++k) sum += values[k];
    out[i] = sum;
  }
}
