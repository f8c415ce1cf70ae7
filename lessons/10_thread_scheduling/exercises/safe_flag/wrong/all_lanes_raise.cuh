// SPDX-License-Identifier: MIT
// Wrong: the flag is there when the first lane has raised it.
#pragma once

#include "lessons/10_thread_scheduling/signals.cuh"

__global__ void mirror(const unsigned* in, unsigned* out) {
  __shared__ unsigned row[32];
  __shared__ unsigned flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, i = blockIdx.x * 32 + lane;
  if (threadIdx.x < 32) {
    row[lane] = 3 * in[i];
    lesson10::raise_word(&flag);
  } else {
    while (lesson10::seen(&flag) == 0) {
    }
    out[i] = row[31 - lane];
  }
}
