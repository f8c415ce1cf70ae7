// SPDX-License-Identifier: MIT
// Wrong: the flag changes first, and the value sees the neighbour's.
#pragma once

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void segmented(const int* x, const int* flags, int* out) {
  const unsigned lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  int value = x[i], flag = flags[i];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int left_value = __shfl_up_sync(kAllLanes, value, distance);
    const int left_flag = __shfl_up_sync(kAllLanes, flag, distance);
    if (lane >= distance) {
      flag = left_flag | flag;
      if (flag == 0) value = left_value + value;
    }
  }
  out[i] = value;
}
