// SPDX-License-Identifier: MIT
// Wrong: a prefix has everything before it, and the walk adds that once more.
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
  }
  return sum;
}
