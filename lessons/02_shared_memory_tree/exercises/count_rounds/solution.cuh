// SPDX-License-Identifier: MIT
// Exercise count_rounds: how many rounds of shared memory do three trees need?
//
// One block adds up as many ints as it has threads: a power of two from 64 to 1024.
#pragma once

struct Rounds {
  unsigned interleaved, strided, sequential;
};

constexpr Rounds rounds_of(unsigned block) {
  // <solution>
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
  const unsigned rest = warps + 1;
  return {3 * interleaved + rest, 3 * strided + rest, 3 * sequential + rest};
  // <starter>
  //| return {block, block, block};  // TODO
  // </solution>
}
