// SPDX-License-Identifier: MIT
// Wrong: lanes without children do not come to the vote that waits for them.
#pragma once

struct Places {
  unsigned before;  // children of the lanes below
  unsigned total;   // children of all lanes
};

// All 32 lanes; kids is 0 to 3.
__device__ inline Places places(unsigned kids) {
  if (kids == 0) return {0, 0};
  constexpr unsigned kAll = 0xffffffff;
  const unsigned below = (1u << threadIdx.x % 32) - 1;
  const unsigned ones = __ballot_sync(kAll, kids & 1), twos = __ballot_sync(kAll, kids & 2);
  return {__popc(ones & below) + 2u * __popc(twos & below), __popc(ones) + 2u * __popc(twos)};
}

// One warp. `room` has a place for every node; there are no more rounds than nodes.
__global__ void visit_all(const unsigned* first, const unsigned* kids, unsigned nodes,
                          unsigned* room, unsigned* visits) {
  const unsigned lane = threadIdx.x;
  if (lane == 0) room[0] = 0;
  __syncwarp();
  for (unsigned size = 1, round = 0; size > 0 && round < nodes; ++round) {
    const unsigned count = size < 32 ? size : 32;
    size -= count;
    const unsigned node = lane < count ? room[size + lane] : 0;
    __syncwarp();
    if (lane < count) visits[node] += 1;
    const unsigned mine = lane < count ? kids[node] : 0;
    const Places p = places(mine);
    for (unsigned i = 0; i < mine; ++i) room[size + p.before + i] = first[node] + i;
    size += p.total;
    __syncwarp();
  }
}
