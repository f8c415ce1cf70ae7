// SPDX-License-Identifier: MIT
// Atomics that a warp makes together: one for all lanes, or one for each value that they have.
#pragma once

#include <cstdint>

#include "lessons/07_vote_and_match/lanes.cuh"

namespace lesson07 {

// Every lane of `mask` calls it, and each gets a number of its own, as from atomicAdd(counter, 1):
// one lane adds for all.
__device__ inline unsigned add_together(unsigned* counter, Mask mask) {
  const unsigned leader = leader_of(mask);
  unsigned first = 0;
  if (lane() == leader) first = atomicAdd(counter, __popc(mask));
  return __shfl_sync(mask, first, leader) + rank_in(mask);
}

// The same where lanes have different counters: those with the same key find each other first.
__device__ inline unsigned add_by_key(unsigned* counters, unsigned key, Mask mask) {
  const Mask same = __match_any_sync(mask, key);
  return add_together(counters + key, same);
}

}  // namespace lesson07
