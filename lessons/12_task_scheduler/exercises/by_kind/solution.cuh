// SPDX-License-Identifier: MIT
// Exercise by_kind: 32 tasks of different kinds change places, so that those of one kind lie side by side.
#pragma once

constexpr unsigned kKinds = 8;

// All 32 lanes. Where this lane's task goes: behind all of smaller kinds, and behind those of its own kind in lanes
// below.
__device__ inline unsigned place(unsigned kind) {
  // <solution>
  constexpr unsigned kAll = 0xffffffff;
  const unsigned below = (1u << threadIdx.x % 32) - 1;
  unsigned at = 0;
  for (unsigned k = 0; k < kKinds; ++k) {
    const unsigned who = __ballot_sync(kAll, kind == k);
    if (k < kind) at += __popc(who);
    if (k == kind) at += __popc(who & below);
  }
  return at;
  // <starter>
  //| // TODO: the place among 32.
  //| return threadIdx.x % 32;
  // </solution>
}

__global__ void group(const unsigned* kinds, unsigned* order) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  order[i / 32 * 32 + place(kinds[i])] = i;
}
