// SPDX-License-Identifier: MIT
// The library's way to bring equal keys together: sort, then add up runs.
#pragma once

#include <cstdint>

#include "common/program/cub_call.hpp"

namespace course {

// Words are sorted by their bits from `low_bit` on (cub::DeviceRadixSort::SortKeys). n below 2^31.
CubCall cub_sort(const unsigned long long* in, std::size_t n, int low_bit,
                 unsigned long long* sorted);

// Of sorted words: one group for each different key (cub::DeviceReduce::ReduceByKey). low_bit 32: the key
// is the upper half of a word, and the lower half is added up; 0: the key is the whole word, and words are
// counted.
struct Groups {
  unsigned long long* keys = nullptr;
  unsigned long long* sums = nullptr;
  unsigned* count = nullptr;
};
CubCall cub_group(const unsigned long long* sorted, std::size_t n, int low_bit,
                  const Groups& groups);

}  // namespace course
