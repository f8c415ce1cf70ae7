// SPDX-License-Identifier: MIT
// Wrong: without a branch every lane has both treatments.
#pragma once

#include "lessons/10_thread_scheduling/treatments.cuh"

__global__ void treat(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = i < n ? in[i] : 1;
  const unsigned both[] = {cheap(v), costly(v)};
  if (i < n) out[i] = both[is_costly(v)];
}
