// SPDX-License-Identifier: MIT
// Exercise right_or_wrong: may a right program have computed this sum?
//
// Host code. x has n elements, sum is what a GPU made of them, and in its order of adding no element
// goes through more than `additions` additions.
#pragma once

#include <cstddef>

bool sum_is_right(const float* x, std::size_t n, float sum, double additions) {
  // TODO: two right programs that add in different orders differ in the last digits.
  double expected = 0;
  for (std::size_t i = 0; i < n; ++i) expected += x[i];
  return sum == static_cast<float>(expected);
}
