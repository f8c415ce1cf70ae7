// SPDX-License-Identifier: MIT
// Wrong: all kinds begin at place 0: tasks are lost.
#pragma once

constexpr unsigned kKinds = 8;

// All 32 lanes. Where this lane's task goes: behind all of smaller kinds, and behind those of its own kind in lanes
// below.
__device__ inline unsigned place(unsigned kind) {
  const unsigned below = (1u << threadIdx.x % 32) - 1;
  return __popc(__match_any_sync(0xffffffff, kind) & below);
}

__global__ void group(const unsigned* kinds, unsigned* order) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  order[i / 32 * 32 + place(kinds[i])] = i;
}
