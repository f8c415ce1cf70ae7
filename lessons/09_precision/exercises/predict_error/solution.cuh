// SPDX-License-Identifier: MIT
// Exercise predict_error: how wrong can a sum be, in the worst case?
//
// Launched with one block of 32 threads. bound[0]: added one after the other; bound[1]: added in pairs.
#pragma once

#include <cstddef>

__global__ void predict_error(const float* x, std::size_t n, float* bound) {
  const unsigned lane = threadIdx.x;
  float sizes = 0;
  // <solution>
  for (std::size_t i = lane; i < n; i += 32) sizes += fabsf(x[i]);
  for (int step = 16; step > 0; step /= 2) sizes += __shfl_xor_sync(0xffffffffu, sizes, step);
  unsigned additions = n > 0 ? static_cast<unsigned>(n) - 1 : 0, levels = 0;
  while ((std::size_t{1} << levels) < n) ++levels;
  if (lane != 0) return;
  bound[0] = static_cast<float>(additions) * 0x1p-24f * sizes;
  bound[1] = static_cast<float>(levels) * 0x1p-24f * sizes;
  // <starter>
  //| // TODO: add up what the bound needs, and count the additions that an element goes through.
  //| for (std::size_t i = lane; i < n; i += 32) sizes += x[i];
  //| if (lane != 0) return;
  //| bound[0] = sizes;
  //| bound[1] = sizes;
  // </solution>
}
