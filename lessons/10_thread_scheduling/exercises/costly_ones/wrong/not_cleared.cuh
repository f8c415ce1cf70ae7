// SPDX-License-Identifier: MIT
// Wrong: the counter begins with whatever was there.
#pragma once

#include "lessons/10_thread_scheduling/treatments.cuh"

__global__ void treat(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ unsigned list[256], count;
  __syncthreads();
  if (i < n) {
    const unsigned v = in[i];
    if (is_costly(v))
      list[atomicAdd(&count, 1u)] = i;
    else
      out[i] = cheap(v);
  }
  __syncthreads();
  if (threadIdx.x < count) {
    const unsigned j = list[threadIdx.x];
    out[j] = costly(in[j]);
  }
}
