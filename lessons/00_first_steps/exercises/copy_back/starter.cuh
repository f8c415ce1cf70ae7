// SPDX-License-Identifier: MIT
// Exercise copy_back: the device has the result; the host wants it.
//
// Host code. h_x is an array of n elements on the host, d_x is room for as many on the device.
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
  // TODO: the result is on the device. Copy it back to h_x.
}
