// SPDX-License-Identifier: MIT
// Wrong: the last GPU gets what is left over, however slow it is.
#pragma once

// speeds[r] >= 0, at least one of them positive; begins has count + 1 places.
inline void share_out(unsigned long long n, const unsigned* speeds, int count,
                      unsigned long long* begins) {
  unsigned long long all = 0, before = 0;
  for (int r = 0; r < count; ++r) all += speeds[r];
  for (int r = 0; r <= count; ++r) {
    begins[r] = r == count ? n : n / all * before;
    if (r < count) before += speeds[r];
  }
}

// Launched on each GPU: says who has worked on an element.
__global__ void claim(unsigned* owners, unsigned long long begin, unsigned long long end,
                      unsigned rank) {
  for (unsigned long long i = begin + threadIdx.x; i < end; i += blockDim.x)
    atomicAdd_system(&owners[i], 1 + 100 * rank);
}
