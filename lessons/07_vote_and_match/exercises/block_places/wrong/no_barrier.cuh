// SPDX-License-Identifier: MIT
// Wrong: counts are read before all warps have left theirs.
#pragma once

__global__ void block_places(const int* x, unsigned* place, unsigned* total) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool keep = x[i] != 0;
  const unsigned takers = __ballot_sync(0xffffffffu, keep);
  const unsigned rank = __popc(takers & ((1u << lane) - 1));
  __shared__ unsigned of_warps[8];
  if (lane == 0) of_warps[warp] = __popc(takers);
  unsigned before = 0;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
  place[i] = keep ? before + rank : 0xffffffffu;
  if (threadIdx.x == 255) total[blockIdx.x] = before + __popc(takers);
}
