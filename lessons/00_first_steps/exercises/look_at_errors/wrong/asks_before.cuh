// SPDX-License-Identifier: MIT
// Wrong: it asks about the time before the launch.
#pragma once

#include <cstddef>

__global__ void triple(int* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 3 * x[i];
}

cudaError_t launch_triple(int* x, std::size_t n, unsigned threads) {
  const unsigned blocks = threads == 0 ? 1 : static_cast<unsigned>((n + threads - 1) / threads);
  const cudaError_t error = cudaGetLastError();
  triple<<<blocks, threads>>>(x, n);
  return error;
}
