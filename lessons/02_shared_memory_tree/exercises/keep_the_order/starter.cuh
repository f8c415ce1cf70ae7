// SPDX-License-Identifier: MIT
// Exercise keep_the_order: a tree for an operation whose order counts.
//
// A word stands for the function x -> a x + b: a in its upper 16 bits, b in its lower ones. Blocks of
// 256 threads; block k leaves in out[k] what its 256 functions do, the first one first.
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
  // TODO: this is the reference. It is right, and its words crowd into few banks.
  for (unsigned distance = 1; distance < 256; distance *= 2) {
    const unsigned k = 2 * distance * t;
    if (k < 256) s[k] = then(s[k], s[k + distance]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
