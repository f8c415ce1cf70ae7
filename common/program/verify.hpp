// SPDX-License-Identifier: MIT
// Is a sum right? Integers: exactly. Floats: within the error that the order of the additions can
// cause.
//
// If no element takes part in more than `depth` additions, the rounding error is at most
// gamma(depth) * sum|x|, with gamma(d) = d u / (1 - d u) and u = 2^-24 (Higham, Accuracy and
// Stability, 4.2). That worst case needs all roundings to go one way. Treated as independent, they
// stay below lambda * sqrt(depth) * u * sum|x| but for a chance of 2 exp(-lambda^2 / 2) (Higham and
// Mary 2019). We take the smaller of the two, with lambda = 8: a chance of 3e-14.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace course {

inline double sum_error_bound(double depth, double sum_abs) {
  constexpr double kUnit = 0x1p-24, kLambda = 8;
  const double worst = depth * kUnit < 1 ? depth * kUnit / (1 - depth * kUnit) : INFINITY;
  const double likely = kLambda * std::sqrt(depth) * kUnit;
  // The final rounding of the answer itself to float.
  return (std::min(worst, likely) + kUnit) * sum_abs;
}

struct Verdict {
  bool ok = false;
  double expected = 0, actual = 0;
  double error = 0, bound = 0;
  // Share of the allowed error that was used; 0 where none is allowed and none was made.
  double ratio() const { return bound > 0 ? error / bound : (error == 0 ? 0 : INFINITY); }
};

// NaN never passes for a number, nor a number for NaN: an infinity or a NaN in the data must come
// out as IEEE 754 says.
inline Verdict judge(float actual, double expected, double bound) {
  Verdict v{false, expected, actual, 0, bound};
  if (std::isnan(expected)) {
    v.ok = std::isnan(actual);
    v.error = v.ok ? 0 : INFINITY;
  } else if (std::isinf(expected)) {
    v.ok = actual == static_cast<float>(expected);
    v.error = v.ok ? 0 : INFINITY;
  } else {
    v.error = std::abs(static_cast<double>(actual) - expected);
    v.ok = v.error <= bound;  // false for NaN
  }
  return v;
}

inline Verdict judge(std::int32_t actual, std::int32_t expected) {
  const double error = std::abs(static_cast<double>(actual) - static_cast<double>(expected));
  return {actual == expected, static_cast<double>(expected), static_cast<double>(actual), error, 0};
}

}  // namespace course
