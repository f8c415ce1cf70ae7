// SPDX-License-Identifier: MIT
// Wrong: a sum ends the walk as if it were a prefix.
#pragma once

using Word = unsigned long long;
constexpr unsigned kNothing = 0, kSum = 1, kPrefix = 2;

__device__ unsigned meaning_of(Word word) { return static_cast<unsigned>(word) & 3; }
__device__ int value_of(Word word) { return static_cast<int>(word >> 32); }

// The sum of all tiles before `tile`. The words may change while this runs.
__device__ int sum_before(const volatile Word* words, unsigned tile) {
  int sum = 0;
  for (unsigned t = tile; t-- > 0;) {
    Word word = words[t];
    while (meaning_of(word) == kNothing) word = words[t];
    sum += value_of(word);
    if (meaning_of(word) != kNothing) break;
  }
  return sum;
}
