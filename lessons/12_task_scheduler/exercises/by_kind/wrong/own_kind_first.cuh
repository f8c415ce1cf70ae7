// SPDX-License-Identifier: MIT
// Wrong: counts the own kind whole, and with it the tasks behind its own.
#pragma once

constexpr unsigned kKinds = 8;

// All 32 lanes. Where this lane's task goes: behind all of smaller kinds, and behind those of its own kind in lanes
// below.
__device__ inline unsigned place(unsigned kind) {
  constexpr unsigned kAll = 0xffffffff;
  const unsigned below = (1u << threadIdx.x % 32) - 1;
  unsigned at = 0;
  for (unsigned k = 0; k < kKinds; ++k) {
    const unsigned who = __ballot_sync(kAll, kind == k);
    if (k < kind) at += __popc(who);
    if (k == kind) at += __popc(who & ~below) - 1;
  }
  return at;
}

__global__ void group(const unsigned* kinds, unsigned* order) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  order[i / 32 * 32 + place(kinds[i])] = i;
}
