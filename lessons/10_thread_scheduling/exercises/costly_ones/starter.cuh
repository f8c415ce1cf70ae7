// SPDX-License-Identifier: MIT
// Exercise costly_ones: two treatments, one of them long. Bring those that need it together.
//
// Launched with blocks of 256 threads, one thread for each element.
#pragma once

#include "lessons/10_thread_scheduling/treatments.cuh"

__global__ void treat(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: nearly every warp goes the long way, with a few of its lanes.
  if (i < n) out[i] = is_costly(in[i]) ? costly(in[i]) : cheap(in[i]);
}
