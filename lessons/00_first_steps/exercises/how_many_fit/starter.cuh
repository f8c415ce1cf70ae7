// SPDX-License-Identifier: MIT
// Exercise how_many_fit: how many warps a multiprocessor of an H200 holds at once.
//
// threads: of a block, a multiple of 32. registers: of a thread, a multiple of 8. shared: bytes of
// shared memory that a block asks for.
#pragma once

#include <cstddef>

constexpr unsigned warps_that_fit(unsigned threads, unsigned registers, unsigned shared) {
  // TODO: threads are not all that a block takes.
  return 2048 / threads * threads / 32;
}
