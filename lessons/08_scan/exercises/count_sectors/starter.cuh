// SPDX-License-Identifier: MIT
// Exercise count_sectors: how many sectors of 32 bytes do two scans read and write?
//
// n ints, blocks of 256 threads, one element for each thread; n is a multiple of 8192. A warp's load or
// store counts as many sectors as it touches.
#pragma once

struct Sectors {
  unsigned read, written;
};

// 1. Each block scans its 256 elements, stores them, and stores its sum.
// 2. One block reads all sums and stores what comes before each block.
// 3. Each thread reads its element and its block's prefix, and stores the element.
constexpr Sectors of_three_kernels(unsigned n) {
  return {n, n};  // TODO
}

// 1. Each block adds up its 256 elements and stores its sum.
// 2. as above
// 3. Each block scans its elements, from its prefix on, which every thread reads, and stores them.
constexpr Sectors of_reduce_first(unsigned n) {
  return {n, n};  // TODO
}
