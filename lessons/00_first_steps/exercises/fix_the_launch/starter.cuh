// SPDX-License-Identifier: MIT
// Exercise fix_the_launch: the kernel is right; launch enough of its threads.
//
// Host code: it is called from the CPU. x is an array of n elements on the device, n is at least 256.
#pragma once

#include <cstddef>

__global__ void triple(int* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 3 * x[i];
}

void launch_triple(int* x, std::size_t n) {
  // TODO: when n is not a multiple of 256, some elements have no thread.
  const auto blocks = static_cast<unsigned>(n / 256);
  triple<<<blocks, 256>>>(x, n);
}
