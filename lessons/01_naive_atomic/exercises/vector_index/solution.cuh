// SPDX-License-Identifier: MIT
// Exercise vector_index: add two arrays, one element per thread.
//
// The kernel is launched with just enough blocks for n elements; the block size varies. Leave
// a[i] + b[i] in c[i], for every i from 0 to n - 1, and touch nothing else.
#pragma once

#include <cstddef>

__global__ void add(const int* a, const int* b, std::size_t n, int* c) {
  // <solution>
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
  // <starter>
  //| // TODO: this is the thread's number in its block. Make it the number in the whole grid.
  //| const std::size_t i = threadIdx.x;
  //| // TODO: not every thread has an element. Let only those add that have one.
  //| c[i] = a[i] + b[i];
  // </solution>
}
