// SPDX-License-Identifier: MIT
// Wrong: every warp of a block asks for the prefix.
#pragma once

struct Sectors {
  unsigned read, written;
};

// 1. Each block scans its 256 elements, stores them, and stores its sum.
// 2. One block reads all sums and stores what comes before each block.
// 3. Each thread reads its element and its block's prefix, and stores the element.
constexpr Sectors of_three_kernels(unsigned n) {
  const unsigned array = n / 8, blocks = n / 256, warps = n / 32;
  return {array + blocks / 8 + array + blocks, array + blocks + blocks / 8 + array};
}

// 1. Each block adds up its 256 elements and stores its sum.
// 2. as above
// 3. Each block scans its elements, from its prefix on, which every thread reads, and stores them.
constexpr Sectors of_reduce_first(unsigned n) {
  const unsigned array = n / 8, blocks = n / 256, warps = n / 32;
  return {array + blocks / 8 + array + blocks, blocks + blocks / 8 + array};
}
