// SPDX-License-Identifier: MIT
// Wrong: values between two whole numbers become the same.
#pragma once

constexpr unsigned kNoise = 0xffffffff;

// A whole number with the order of the floats.
__device__ inline int ordered(float v) { return static_cast<int>(v); }
__device__ inline float from_ordered(int i) { return static_cast<float>(i); }

__global__ void float_boxes(const float* x, const unsigned* labels, unsigned n, int* low,
                            int* high) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || labels[i] == kNoise) return;
  atomicMin(low + labels[i], ordered(x[i]));
  atomicMax(high + labels[i], ordered(x[i]));
}
