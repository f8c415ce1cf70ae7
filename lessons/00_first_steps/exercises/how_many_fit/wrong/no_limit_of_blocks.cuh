// SPDX-License-Identifier: MIT
// Wrong: a multiprocessor takes at most 32 blocks.
#pragma once

#include <cstddef>

constexpr unsigned warps_that_fit(unsigned threads, unsigned registers, unsigned shared) {
  unsigned blocks = 2048 / threads;
  if (65536 / (registers * threads) < blocks) blocks = 65536 / (registers * threads);
  if (228 * 1024 / (shared + 1024) < blocks) blocks = 228 * 1024 / (shared + 1024);
  return blocks * threads / 32;
}
