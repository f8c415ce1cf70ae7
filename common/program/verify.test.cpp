// SPDX-License-Identifier: MIT
// The error bound at points one can work out by hand, and what passes for a right sum.
#include "common/program/verify.hpp"

#include <limits>

#include "common/input.hpp"
#include "common/sums/cpu_sum.hpp"
#include "support/catch.hpp"

using course::judge;
using course::sum_error_bound;
using course::Verdict;

namespace {
constexpr double kUnit = 0x1p-24;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
}  // namespace

TEST_CASE("no addition: only the rounding of the answer is allowed") {
  CHECK(sum_error_bound(0, 1) == kUnit);
  CHECK(sum_error_bound(0, 1000) == 1000 * kUnit);
}

TEST_CASE("up to 63 additions the worst case is the smaller bound") {
  for (const double d : {1.0, 10.0, 63.0}) {
    CHECK(sum_error_bound(d, 1) == Approx(d * kUnit / (1 - d * kUnit) + kUnit).epsilon(1e-12));
  }
}

TEST_CASE("from 64 additions on it is 8 sqrt(depth)") {
  CHECK(sum_error_bound(64, 1) == Approx(64 * kUnit + kUnit).epsilon(1e-9));
  CHECK(sum_error_bound(100, 1) == Approx(80 * kUnit + kUnit).epsilon(1e-12));
  CHECK(sum_error_bound(1e6, 1) == Approx(8000 * kUnit + kUnit).epsilon(1e-12));
}

TEST_CASE("the bound stays finite where the worst case has none left") {
  CHECK(sum_error_bound(0x1p24, 1) == Approx(8 * 4096 * kUnit + kUnit).epsilon(1e-12));
  CHECK(std::isfinite(sum_error_bound(0x1p30, 0x1p30)));
}

TEST_CASE("the bound grows with the depth and in proportion to the sum of |x|") {
  double last = 0;
  for (double d = 1; d < 1e9; d *= 3) {
    CHECK(sum_error_bound(d, 1) > last);
    last = sum_error_bound(d, 1);
    CHECK(sum_error_bound(d, 7) == Approx(7 * last).epsilon(1e-12));
  }
  CHECK(sum_error_bound(100, 0) == 0);
}

TEST_CASE("a float sum is right up to its bound and not beyond") {
  CHECK(judge(1.5f, 1.0, 0.5).ok);
  CHECK_FALSE(judge(1.5f, 1.0, 0.49).ok);
  CHECK(judge(-1.0f, -1.0, 0).ok);
  CHECK_FALSE(judge(1.0f, -1.0, 0.5).ok);
}

TEST_CASE("NaN never passes for a number") {
  CHECK_FALSE(judge(kNan, 1.0, 0.5).ok);
  CHECK_FALSE(judge(kNan, 0.0, 1e300).ok);
  CHECK_FALSE(judge(kNan, 1.0, INFINITY).ok);
  CHECK_FALSE(judge(kNan, INFINITY, INFINITY).ok);
}

TEST_CASE("a number never passes for NaN") {
  CHECK(judge(kNan, NAN, 0).ok);
  CHECK(judge(kNan, NAN, NAN).ok);
  CHECK_FALSE(judge(0.0f, NAN, 1).ok);
  CHECK_FALSE(judge(kInf, NAN, INFINITY).ok);
}

TEST_CASE("an infinity must come out as that infinity") {
  CHECK(judge(kInf, INFINITY, NAN).ok);
  CHECK(judge(-kInf, -INFINITY, INFINITY).ok);
  CHECK_FALSE(judge(-kInf, INFINITY, INFINITY).ok);
  CHECK_FALSE(judge(std::numeric_limits<float>::max(), INFINITY, INFINITY).ok);
  CHECK_FALSE(judge(kInf, 1.0, 1e30).ok);
}

TEST_CASE("integers must be exact") {
  CHECK(judge(7, 7).ok);
  CHECK_FALSE(judge(7, 8).ok);
  CHECK(judge(INT32_MIN, INT32_MIN).ok);
  const Verdict far = judge(INT32_MAX, INT32_MIN);
  CHECK_FALSE(far.ok);
  CHECK(far.error == 4294967295.0);
}

TEST_CASE("a verdict says what was expected, what came, and how much of the bound was used") {
  const Verdict v = judge(3.0f, 2.0, 4.0);
  CHECK(v.expected == 2.0);
  CHECK(v.actual == 3.0);
  CHECK(v.error == 1.0);
  CHECK(v.bound == 4.0);
  CHECK(v.ratio() == 0.25);
  CHECK(judge(5, 5).ratio() == 0);
  CHECK(std::isinf(judge(5, 6).ratio()));
}

TEST_CASE("one lost element of whole floats is always seen") {
  const auto x = course::exact_floats(1000, 3);
  const double truth = course::exact_sum(x).sum;
  for (const float lost : x) CHECK_FALSE(judge(static_cast<float>(truth - lost), truth, 0).ok);
}
