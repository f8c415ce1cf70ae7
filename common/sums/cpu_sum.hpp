// SPDX-License-Identifier: MIT
// Sums on the CPU: what a student's kernel is compared with, for speed and for truth.
#pragma once

#include <span>

namespace course {

// One thread, in order, in the type itself (float or int): the loop everybody writes first. Integers
// wrap as they do on the GPU.
template <class T>
T cpu_sum(std::span<const T> x);

// So many threads, each its own part; the parts are added in order.
template <class T>
T cpu_sum_threads(std::span<const T> x, unsigned threads);

// The truth for floats: double with Neumaier's compensation, and the sum of |x| that error bounds
// need.
struct ExactSum {
  double sum = 0, sum_abs = 0;
};
ExactSum exact_sum(std::span<const float> x);

}  // namespace course
