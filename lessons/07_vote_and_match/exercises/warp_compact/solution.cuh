// SPDX-License-Identifier: MIT
// Exercise warp_compact: one warp keeps what is not zero, in its order.
//
// Launched with one block of 32 threads. kept[0] ... kept[*count - 1] = the elements of x that are not
// zero, in their order.
#pragma once

#include <cstddef>

__global__ void warp_compact(const int* x, std::size_t n, int* kept, unsigned* count) {
  const unsigned lane = threadIdx.x;
  unsigned first = 0;
  for (std::size_t base = 0; base < n; base += 32) {
    const bool keep = base + lane < n && x[base + lane] != 0;
    // <solution>
    const unsigned takers = __ballot_sync(0xffffffffu, keep);
    if (keep) kept[first + __popc(takers & ((1u << lane) - 1))] = x[base + lane];
    first += __popc(takers);
    // <starter>
    //| // TODO: find the place of this lane's element, and where the next round begins.
    //| if (keep) kept[first] = x[base + lane];
    //| first += keep;
    // </solution>
  }
  if (lane == 0) *count = first;
}
