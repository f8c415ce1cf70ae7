// SPDX-License-Identifier: MIT
// Exercise block_max: the largest element of each block, in a tree, for any block size.
//
// There is one block per blockDim.x elements, and at least one; the last may be partly empty.
// Leave the largest element of each block in maxima[blockIdx.x], INT_MIN if it has none.
#pragma once

#include <climits>
#include <cstddef>

__global__ void block_max(const int* x, std::size_t n, int* maxima) {
  extern __shared__ int s[];  // blockDim.x of them
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  // <solution>
  s[t] = i < n ? x[i] : INT_MIN;
  __syncthreads();
  for (unsigned left = blockDim.x; left > 1;) {
    const unsigned half = (left + 1) / 2;  // rounded up: a value without a partner stays
    if (t + half < left) s[t] = max(s[t], s[t + half]);
    __syncthreads();
    left = half;
  }
  // <starter>
  //| // TODO: what does a thread bring that has no element?
  //| s[t] = i < n ? x[i] : 0;
  //| __syncthreads();
  //| // TODO: a tree that leaves the largest of s[0] ... s[blockDim.x - 1] in s[0].
  // </solution>
  if (t == 0) maxima[blockIdx.x] = s[0];
}
