// SPDX-License-Identifier: MIT
// Exercise block_places: the place of every element that is not zero, in its block of 256.
//
// place[i] = how many before it in the block are not zero; 0xffffffff for a zero. total[b]: all of block b.
#pragma once

__global__ void block_places(const int* x, unsigned* place, unsigned* total) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool keep = x[i] != 0;
  const unsigned takers = __ballot_sync(0xffffffffu, keep);
  const unsigned rank = __popc(takers & ((1u << lane) - 1));
  // <solution>
  __shared__ unsigned of_warps[8];
  if (lane == 0) of_warps[warp] = __popc(takers);
  __syncthreads();
  unsigned before = 0;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
  // <starter>
  //| // TODO: how many do the warps before this one keep?
  //| const unsigned before = 0 * warp;
  // </solution>
  place[i] = keep ? before + rank : 0xffffffffu;
  if (threadIdx.x == 255) total[blockIdx.x] = before + __popc(takers);
}
