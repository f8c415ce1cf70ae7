// SPDX-License-Identifier: MIT
// Wrong: shared memory is limited, too.
#pragma once

#include <cstddef>

constexpr unsigned warps_that_fit(unsigned threads, unsigned registers, unsigned shared) {
  unsigned blocks = 2048 / threads < 32 ? 2048 / threads : 32;
  if (65536 / (registers * threads) < blocks) blocks = 65536 / (registers * threads);
  return blocks * threads / 32 + 0 * shared;
}
