// SPDX-License-Identifier: MIT
// Wrong: no bank conflicts, but nearly all warps take part in every step.
#pragma once

#include <cstddef>

constexpr unsigned kNothing = 0x00010000;  // x -> 1 x + 0

// First f, then g: g's a (f's a x + f's b) + g's b.
__device__ unsigned then(unsigned f, unsigned g) {
  const unsigned a = g >> 16;
  return a * (f >> 16) << 16 | ((a * (f & 0xffff) + g) & 0xffff);
}

__global__ void compose(const unsigned* functions, std::size_t n, unsigned* out) {
  __shared__ unsigned s[256];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * 256 + t;
  s[t] = i < n ? functions[i] : kNothing;
  __syncthreads();
  for (unsigned distance = 1; distance < 256; distance *= 2) {
    if ((t & (2 * distance - 1)) == 0) s[t] = then(s[t], s[t + distance]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
