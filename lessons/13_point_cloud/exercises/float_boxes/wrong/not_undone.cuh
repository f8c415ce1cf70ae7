// SPDX-License-Identifier: MIT
// Wrong: what ordered() does to a negative number is not undone.
#pragma once

constexpr unsigned kNoise = 0xffffffff;

// A whole number with the order of the floats.
__device__ inline int ordered(float v) {
  const int bits = __float_as_int(v);
  return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__device__ inline float from_ordered(int i) { return __int_as_float(i); }

__global__ void float_boxes(const float* x, const unsigned* labels, unsigned n, int* low,
                            int* high) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || labels[i] == kNoise) return;
  atomicMin(low + labels[i], ordered(x[i]));
  atomicMax(high + labels[i], ordered(x[i]));
}
