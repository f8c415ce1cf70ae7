// SPDX-License-Identifier: MIT
// Wrong: the address is rounded down: the first four is partly before x.
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
  float4* const body = reinterpret_cast<float4*>(x - past);
  const std::size_t fours = (n + past) / 4;
  for (std::size_t i = me; i < fours; i += threads) body[i] = times(body[i], factor);
  const std::size_t tail = 4 * fours - past;
  if (tail + me < n) x[tail + me] *= factor;
}
