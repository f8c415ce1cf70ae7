// SPDX-License-Identifier: MIT
// Exercise look_at_errors: launch a kernel, and say whether that worked.
//
// Host code. Some callers ask for blocks that are impossible. Return cudaSuccess if the kernel was
// launched and ran to its end, else the error.
#pragma once

#include <cstddef>

__global__ void triple(int* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 3 * x[i];
}

cudaError_t launch_triple(int* x, std::size_t n, unsigned threads) {
  const unsigned blocks = threads == 0 ? 1 : static_cast<unsigned>((n + threads - 1) / threads);
  triple<<<blocks, threads>>>(x, n);
  // TODO: this is what the caller wants to hear. Find out what is true.
  return cudaSuccess;
}
