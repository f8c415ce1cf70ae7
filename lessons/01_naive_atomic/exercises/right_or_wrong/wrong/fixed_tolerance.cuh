// SPDX-License-Identifier: MIT
// Wrong: a fixed tolerance is too much for small numbers, and too little for large ones.
#pragma once

#include <cstddef>

bool sum_is_right(const float* x, std::size_t n, float sum, double) {
  double expected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    expected += x[i];
  }
  const double bound = 1e-3;
  const double error = sum < expected ? expected - sum : sum - expected;
  return error <= bound;  // false for NaN, with which every comparison is false
}
