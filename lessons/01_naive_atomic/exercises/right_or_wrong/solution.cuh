// SPDX-License-Identifier: MIT
// Exercise right_or_wrong: may a right program have computed this sum?
//
// Host code. x has n elements, sum is what a GPU made of them, and in its order of adding no element
// goes through more than `additions` additions.
#pragma once

#include <cstddef>

bool sum_is_right(const float* x, std::size_t n, float sum, double additions) {
  // <solution>
  double expected = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    expected += x[i];
    size += x[i] < 0 ? -x[i] : x[i];
  }
  const double of_one = 0x1p-24;  // the rounding error of one addition
  const double bound = additions * of_one / (1 - additions * of_one) * size;
  const double error = sum < expected ? expected - sum : sum - expected;
  return error <= bound;  // false for NaN, with which every comparison is false
  // <starter>
  //| // TODO: two right programs that add in different orders differ in the last digits.
  //| double expected = 0;
  //| for (std::size_t i = 0; i < n; ++i) expected += x[i];
  //| return sum == static_cast<float>(expected);
  // </solution>
}
