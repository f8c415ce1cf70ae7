// SPDX-License-Identifier: MIT
// Wrong: a vote makes the branch uniform: now all lanes go the long way.
#pragma once

#include "lessons/10_thread_scheduling/treatments.cuh"

__global__ void treat(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = i < n ? in[i] : 1;
  unsigned result = cheap(v);
  if (__any_sync(0xffffffffu, is_costly(v))) {
    const unsigned further = costly(v);
    if (is_costly(v)) result = further;
  }
  if (i < n) out[i] = result;
}
