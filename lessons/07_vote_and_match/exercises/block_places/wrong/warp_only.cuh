// SPDX-License-Identifier: MIT
// Wrong: every warp begins at place 0.
#pragma once

__global__ void block_places(const int* x, unsigned* place, unsigned* total) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool keep = x[i] != 0;
  const unsigned takers = __ballot_sync(0xffffffffu, keep);
  const unsigned rank = __popc(takers & ((1u << lane) - 1));
  const unsigned before = 0 * warp;
  place[i] = keep ? before + rank : 0xffffffffu;
  if (threadIdx.x == 255) total[blockIdx.x] = before + __popc(takers);
}
