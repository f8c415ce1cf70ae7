// SPDX-License-Identifier: MIT
// Wrong: only those that keep theirs vote, and the others count nothing.
#pragma once

__global__ void block_places(const int* x, unsigned* place, unsigned* total) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  __shared__ unsigned of_warps[8];
  unsigned takers = 0;
  if (x[i] != 0) takers = __ballot_sync(__activemask(), true);
  if (lane == 0) of_warps[warp] = __popc(takers);
  __syncthreads();
  unsigned before = 0;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
  place[i] = x[i] != 0 ? before + __popc(takers & ((1u << lane) - 1)) : 0xffffffffu;
  if (threadIdx.x == 255) total[blockIdx.x] = before + __popc(takers);
}
