// SPDX-License-Identifier: MIT
// Wrong: NaN is not larger than the bound either.
#pragma once

#include <cstddef>

bool sum_is_right(const float* x, std::size_t n, float sum, double additions) {
  double expected = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    expected += x[i];
    size += x[i] < 0 ? -x[i] : x[i];
  }
  const double of_one = 0x1p-24;  // the rounding error of one addition
  const double bound = additions * of_one / (1 - additions * of_one) * size;
  const double error = sum < expected ? expected - sum : sum - expected;
  return !(error > bound);
}
