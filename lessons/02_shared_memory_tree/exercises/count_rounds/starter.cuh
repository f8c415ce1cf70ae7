// SPDX-License-Identifier: MIT
// Exercise count_rounds: how many rounds of shared memory do three trees need?
//
// One block adds up as many ints as it has threads: a power of two from 64 to 1024.
#pragma once

struct Rounds {
  unsigned interleaved, strided, sequential;
};

constexpr Rounds rounds_of(unsigned block) {
  return {block, block, block};  // TODO
}
