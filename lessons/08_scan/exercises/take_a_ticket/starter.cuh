// SPDX-License-Identifier: MIT
// Exercise take_a_ticket: a scan in one launch, whose blocks wait for each other.
//
// There are as many blocks of 32 threads as tiles of 32 elements. words[t] is 0 until tile t has told
// its prefix. *ticket is 0 before, and 0 again afterwards.
#pragma once

using Word = unsigned long long;

__global__ void chained(const int* x, int* out, volatile Word* words, unsigned* ticket) {
  __shared__ unsigned tile;
  // TODO: who promises that the block before this one has begun?
  if (threadIdx.x == 0) tile = blockIdx.x;
  __syncthreads();
  const unsigned i = tile * 32 + threadIdx.x;
  int mine = x[i];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, mine, distance);
    if (threadIdx.x >= distance) mine += left;
  }
  int before = 0;
  if (tile > 0) {
    Word word = 0;
    while ((word = words[tile - 1]) == 0) {
    }
    before = static_cast<int>(word >> 32);
  }
  mine += before;
  if (threadIdx.x == 31) words[tile] = Word{static_cast<unsigned>(mine)} << 32 | 1;
  out[i] = mine;
}
