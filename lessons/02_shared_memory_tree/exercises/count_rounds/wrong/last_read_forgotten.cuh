// SPDX-License-Identifier: MIT
// Wrong: somebody reads the sum at the end.
#pragma once

struct Rounds {
  unsigned interleaved, strided, sequential;
};

constexpr Rounds rounds_of(unsigned block) {
  const unsigned warps = block / 32;
  unsigned interleaved = 0, strided = 0, sequential = 0;
  for (unsigned working = block / 2, stride = 2; working > 0; working /= 2, stride *= 2) {
    const unsigned full = (working + 31) / 32;  // warps, if the working threads are the first ones
    const unsigned lanes = working < 32 ? working : 32, apart = stride < 32 ? stride : 32;
    interleaved += working < warps ? working : warps;
    strided += full * ((lanes * apart + 31) / 32);
    sequential += full;
  }
  // A step reads two words and writes one. Before, every warp stores; at the end one word is read.
  const unsigned rest = warps;
  return {3 * interleaved + rest, 3 * strided + rest, 3 * sequential + rest};
}
