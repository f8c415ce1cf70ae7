// SPDX-License-Identifier: MIT
// Wrong: a stretch with a flag in it may be added; one may not be added to it.
#pragma once

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void segmented(const int* x, const int* flags, int* out) {
  const unsigned lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  int value = x[i], flag = flags[i];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int left_value = __shfl_up_sync(kAllLanes, value, distance);
    const int left_flag = __shfl_up_sync(kAllLanes, flag, distance);
    if (lane >= distance) {
      if (left_flag == 0) value = left_value + value;
      flag = left_flag | flag;
    }
  }
  out[i] = value;
}
