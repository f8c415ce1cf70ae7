// SPDX-License-Identifier: MIT
// Wrong: a block takes a kilobyte more than it asks for.
#pragma once

#include <cstddef>

constexpr unsigned warps_that_fit(unsigned threads, unsigned registers, unsigned shared) {
  unsigned blocks = 2048 / threads < 32 ? 2048 / threads : 32;
  if (65536 / (registers * threads) < blocks) blocks = 65536 / (registers * threads);
  if (shared > 0 && 228 * 1024 / shared < blocks) blocks = 228 * 1024 / shared;
  return blocks * threads / 32;
}
