// SPDX-License-Identifier: MIT
// Wrong: where elements cancel, the sum is small and the errors are not.
#pragma once

#include <cstddef>

bool sum_is_right(const float* x, std::size_t n, float sum, double) {
  double expected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    expected += x[i];
  }
  const double bound = 1e-5 * (expected < 0 ? -expected : expected);
  const double error = sum < expected ? expected - sum : sum - expected;
  return error <= bound;  // false for NaN, with which every comparison is false
}
