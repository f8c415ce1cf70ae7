// SPDX-License-Identifier: MIT
// Wrong: a short array has fewer elements than the head would have, and n - head wraps around.
#pragma once

#include <cstddef>
#include <cstdint>

__device__ inline float4 times(float4 v, float factor) {
  return make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
}

__global__ void scale(float* x, std::size_t n, float factor) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t past = reinterpret_cast<std::uintptr_t>(x) % 16 / 4;
  const std::size_t head = past == 0 ? 0 : 4 - past;
  if (me < head && me < n) x[me] *= factor;
  float4* const body = reinterpret_cast<float4*>(x + head);
  const std::size_t fours = (n - head) / 4;
  for (std::size_t i = me; i < fours; i += threads) body[i] = times(body[i], factor);
  const std::size_t tail = head + 4 * fours;
  if (tail + me < n) x[tail + me] *= factor;
}
