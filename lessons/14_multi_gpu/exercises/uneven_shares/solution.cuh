// SPDX-License-Identifier: MIT
// Exercise uneven_shares: n elements for GPUs of different speed.
//
// A function of the host. GPU r works on the elements from begins[r] to begins[r + 1] - 1.
#pragma once

// speeds[r] >= 0, at least one of them positive; begins has count + 1 places.
inline void share_out(unsigned long long n, const unsigned* speeds, int count,
                      unsigned long long* begins) {
  // <solution>
  unsigned long long all = 0, before = 0;
  for (int r = 0; r < count; ++r) all += speeds[r];
  for (int r = 0; r <= count; ++r) {
    // n * before / all in two parts, because the product may not fit into 64 bits.
    begins[r] = n / all * before + n % all * before / all;
    if (r < count) before += speeds[r];
  }
  // <starter>
  //| // TODO: equal shares, and the last elements are nobody's.
  //| (void)speeds;
  //| for (int r = 0; r <= count; ++r) begins[r] = n / count * r;
  // </solution>
}

// Launched on each GPU: says who has worked on an element.
__global__ void claim(unsigned* owners, unsigned long long begin, unsigned long long end,
                      unsigned rank) {
  for (unsigned long long i = begin + threadIdx.x; i < end; i += blockDim.x)
    atomicAdd_system(&owners[i], 1 + 100 * rank);
}
