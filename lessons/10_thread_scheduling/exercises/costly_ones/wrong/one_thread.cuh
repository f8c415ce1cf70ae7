// SPDX-License-Identifier: MIT
// Wrong: one thread for all costly elements: nobody parts, and 31 lanes watch.
#pragma once

#include "lessons/10_thread_scheduling/treatments.cuh"

__global__ void treat(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ unsigned list[256], count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (i < n) {
    const unsigned v = in[i];
    if (is_costly(v))
      list[atomicAdd(&count, 1u)] = i;
    else
      out[i] = cheap(v);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned k = 0; k < count; ++k) out[list[k]] = costly(in[list[k]]);
  }
}
