// SPDX-License-Identifier: MIT
// Exercise safe_flag: the first warp writes and sets a flag, the second waits for it and reads.
//
// Launched with blocks of 64 threads, for 32 elements each.
#pragma once

#include "lessons/10_thread_scheduling/signals.cuh"

__global__ void mirror(const unsigned* in, unsigned* out) {
  __shared__ unsigned row[32];
  __shared__ unsigned flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, i = blockIdx.x * 32 + lane;
  if (threadIdx.x < 32) {
    // <solution>
    row[lane] = 3 * in[i];
    __syncwarp();
    if (lane == 0) lesson10::raise_word(&flag);
    // <starter>
    //| // TODO: lane 0 speaks for all, and nothing orders the flag behind the words.
    //| row[lane] = 3 * in[i];
    //| if (lane == 0) *static_cast<volatile unsigned*>(&flag) = 1;
    // </solution>
  } else {
    // <solution>
    while (lesson10::seen(&flag) == 0) {
    }
    // <starter>
    //| while (*static_cast<volatile unsigned*>(&flag) == 0) {
    //| }
    // </solution>
    out[i] = row[31 - lane];
  }
}
