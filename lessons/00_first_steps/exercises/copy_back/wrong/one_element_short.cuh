// SPDX-License-Identifier: MIT
// Wrong: the last element stays on the device.
#pragma once

#include <cstddef>

__global__ void triple(int* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 3 * x[i];
}

void triple_there_and_back(int* h_x, std::size_t n, int* d_x) {
  const std::size_t bytes = n * sizeof(int);
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  triple<<<static_cast<unsigned>((n + 255) / 256), 256>>>(d_x, n);
  cudaMemcpy(h_x, d_x, bytes - sizeof(int), cudaMemcpyDeviceToHost);
}
