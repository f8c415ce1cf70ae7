// SPDX-License-Identifier: MIT
// Wrong: what does not fit as a whole does not fit.
#pragma once

#include <cstddef>

constexpr unsigned warps_that_fit(unsigned threads, unsigned registers, unsigned shared) {
  unsigned blocks = (2048 + threads - 1) / threads;
  if (blocks > 32) blocks = 32;
  if (65536 / (registers * threads) < blocks) blocks = 65536 / (registers * threads);
  if (228 * 1024 / (shared + 1024) < blocks) blocks = 228 * 1024 / (shared + 1024);
  return blocks * threads / 32;
}
