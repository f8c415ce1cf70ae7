// SPDX-License-Identifier: MIT
// Exercise walk_back: what comes before a tile, from the words of the tiles before it.
//
// A word holds a value in its upper half, and below what that is: nothing yet, the tile's own sum, or
// the sum of all tiles up to and with this one.
#pragma once

using Word = unsigned long long;
constexpr unsigned kNothing = 0, kSum = 1, kPrefix = 2;

__device__ unsigned meaning_of(Word word) { return static_cast<unsigned>(word) & 3; }
__device__ int value_of(Word word) { return static_cast<int>(word >> 32); }

// The sum of all tiles before `tile`. The words may change while this runs.
__device__ int sum_before(const volatile Word* words, unsigned tile) {
  int sum = 0;
  for (unsigned t = tile; t-- > 0;) {
    // TODO: this takes every word for a sum that is there already.
    sum += value_of(words[t]);
  }
  return sum;
}
