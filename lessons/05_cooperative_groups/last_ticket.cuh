// SPDX-License-Identifier: MIT
// How a block knows that it is the last one: a counter.
#pragma once

#include <cuda/atomic>

namespace lesson05 {

// Takes a ticket; true for the one that took the last of `count`. The ticket is an acq_rel
// operation, and that is what makes the finish correct:
//   release: what this thread wrote before (its partial sum) is visible to whoever takes a later
//            ticket;
//   acquire: what the takers of earlier tickets wrote before is visible to this thread now.
// Only one thread of the block does this; block.sync() passes both on to the rest of the block.
// The last one puts the counter back to zero, so that the next launch needs no memset.
__device__ inline bool take_last_ticket(unsigned* counter, unsigned count) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*counter);
  const bool last = tickets.fetch_add(1, cuda::memory_order_acq_rel) == count - 1;
  if (last) tickets.store(0, cuda::memory_order_relaxed);
  return last;
}

}  // namespace lesson05
