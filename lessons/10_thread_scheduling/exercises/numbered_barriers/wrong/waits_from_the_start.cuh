// SPDX-License-Identifier: MIT
// Wrong: nobody says of a slot that was never used that it is empty.
#pragma once

#include "lessons/10_thread_scheduling/arrivals.cuh"

__global__ void rows(const unsigned* in, unsigned* out, unsigned rounds) {
  using lesson10::arrive_named;
  using lesson10::wait_named;
  __shared__ unsigned slot[2][32];
  const unsigned lane = threadIdx.x % 32, first = blockIdx.x * rounds * 32;
  if (threadIdx.x < 32) {
    for (unsigned k = 0; k < rounds; ++k) {
      wait_named(3 + k % 2, 64);
      slot[k % 2][lane] = in[first + 32 * k + lane] * 3;
      arrive_named(1 + k % 2, 64);
    }
  } else {
    for (unsigned k = 0; k < rounds; ++k) {
      wait_named(1 + k % 2, 64);
      out[first + 32 * k + lane] = slot[k % 2][31 - lane];
      if (k + 2 < rounds) arrive_named(3 + k % 2, 64);
    }
  }
}
