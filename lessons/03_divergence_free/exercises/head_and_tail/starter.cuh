// SPDX-License-Identifier: MIT
// Exercise head_and_tail: multiply n elements in place, four at a time, wherever they begin.
//
// The kernel is launched with several blocks of 64 threads. x begins at any multiple of 4 bytes,
// n may be anything. What lies before x[0] and behind x[n - 1] must not be touched.
#pragma once

#include <cstddef>
#include <cstdint>

__device__ inline float4 times(float4 v, float factor) {
  return make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
}

__global__ void scale(float* x, std::size_t n, float factor) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;

  // TODO: x need not begin at a multiple of 16 bytes. How many elements come before one?
  const std::size_t head = 0;

  // The body: whole fours.
  float4* const body = reinterpret_cast<float4*>(x + head);
  const std::size_t fours = (n - head) / 4;
  for (std::size_t i = me; i < fours; i += threads) body[i] = times(body[i], factor);

  // The tail: what is left.
  const std::size_t tail = head + 4 * fours;
  if (tail + me < n) x[tail + me] *= factor;
}
