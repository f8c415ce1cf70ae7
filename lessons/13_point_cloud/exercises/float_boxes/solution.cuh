// SPDX-License-Identifier: MIT
// Exercise float_boxes: the smallest and the largest value of each cluster, by atomics.
#pragma once

constexpr unsigned kNoise = 0xffffffff;

// A whole number with the order of the floats.
__device__ inline int ordered(float v) {
  // <solution>
  const int bits = __float_as_int(v);
  return bits >= 0 ? bits : bits ^ 0x7fffffff;
  // <starter>
  //| return static_cast<int>(v);  // TODO: a whole number for every float, in the same order
  // </solution>
}
__device__ inline float from_ordered(int i) {
  // <solution>
  return __int_as_float(i >= 0 ? i : i ^ 0x7fffffff);
  // <starter>
  //| return static_cast<float>(i);  // TODO
  // </solution>
}

__global__ void float_boxes(const float* x, const unsigned* labels, unsigned n, int* low,
                            int* high) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // <solution>
  if (i >= n || labels[i] == kNoise) return;
  atomicMin(low + labels[i], ordered(x[i]));
  atomicMax(high + labels[i], ordered(x[i]));
  // <starter>
  //| // TODO: both ends of the cluster of x[i].
  // </solution>
}
