// SPDX-License-Identifier: MIT
// Exercise costly_ones: two treatments, one of them long. Bring those that need it together.
//
// Launched with blocks of 256 threads, one thread for each element.
#pragma once

#include "lessons/10_thread_scheduling/treatments.cuh"

__global__ void treat(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // <solution>
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
  if (threadIdx.x < count) {
    const unsigned j = list[threadIdx.x];
    out[j] = costly(in[j]);
  }
  // <starter>
  //| // TODO: nearly every warp goes the long way, with a few of its lanes.
  //| if (i < n) out[i] = is_costly(in[i]) ? costly(in[i]) : cheap(in[i]);
  // </solution>
}
