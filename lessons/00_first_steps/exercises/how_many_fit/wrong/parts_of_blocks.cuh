// SPDX-License-Identifier: MIT
// Wrong: a part of a block does not run.
#pragma once

#include <cstddef>

constexpr unsigned warps_that_fit(unsigned threads, unsigned registers, unsigned shared) {
  unsigned warps = 64;
  if (65536 / registers / 32 < warps) warps = 65536 / registers / 32;
  if (32 * threads / 32 < warps) warps = 32 * threads / 32;
  if (228 * 1024 / (shared + 1024) * threads / 32 < warps)
    warps = 228 * 1024 / (shared + 1024) * threads / 32;
  return warps;
}
