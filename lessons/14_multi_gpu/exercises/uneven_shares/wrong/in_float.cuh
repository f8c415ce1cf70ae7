// SPDX-License-Identifier: MIT
// Wrong: a float has 24 bits.
#pragma once

// speeds[r] >= 0, at least one of them positive; begins has count + 1 places.
inline void share_out(unsigned long long n, const unsigned* speeds, int count,
                      unsigned long long* begins) {
  unsigned long long all = 0, before = 0;
  for (int r = 0; r < count; ++r) all += speeds[r];
  for (int r = 0; r <= count; ++r) {
    begins[r] = static_cast<unsigned long long>(static_cast<float>(n) * before / all);
    if (r < count) before += speeds[r];
  }
}

// Launched on each GPU: says who has worked on an element.
__global__ void claim(unsigned* owners, unsigned long long begin, unsigned long long end,
                      unsigned rank) {
  for (unsigned long long i = begin + threadIdx.x; i < end; i += blockDim.x)
    atomicAdd_system(&owners[i], 1 + 100 * rank);
}
