// SPDX-License-Identifier: MIT
// Exercise flag_travels: a segmented scan of 32 elements by one warp per block.
//
// out[i] is the sum of x from the last flagged element at or before i (or the block's first) to i.
#pragma once

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void segmented(const int* x, const int* flags, int* out) {
  const unsigned lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  int value = x[i], flag = flags[i];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    // TODO: this is right where a flag is seen by its own lane only. Who else must know of it?
    const int left_value = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance && flag == 0) value = left_value + value;
  }
  out[i] = value;
}
