// SPDX-License-Identifier: MIT
// Exact sums on the CPU: against sums that can be had in another way, and at the borders.
#include "common/sums/rounded_sum.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/input.hpp"
#include "support/catch.hpp"

using course::rounded_sum;
using Floats = std::vector<float>;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

bool is_plus_zero(float x) { return std::bit_cast<std::uint32_t>(x) == 0; }

}  // namespace

TEST_CASE("an exact sum is rounded once, ties to even") {
  CHECK(rounded_sum(Floats{1, 0x1p-24f}) == 1);                        // a tie
  CHECK(rounded_sum(Floats{1, 0x1p-24f, 0x1p-149f}) == 1 + 0x1p-23f);  // a little more
  CHECK(rounded_sum(Floats{1 + 0x1p-23f, 0x1p-24f}) == 1 + 0x1p-22f);  // a tie, to even
  CHECK(rounded_sum(Floats{-1, -0x1p-24f, -0x1p-149f}) == -1 - 0x1p-23f);
  CHECK(rounded_sum(Floats{1e30f, 1, -1e30f}) == 1);
  CHECK(rounded_sum(Floats{0x1p-149f, 0x1p-149f, -0x1p-126f, 0x1p-126f}) == 0x1p-148f);
  CHECK(rounded_sum(Floats{kLargest, kLargest, -kLargest}) == kLargest);
  CHECK(rounded_sum(Floats{kLargest, 0x1p102f}) == kLargest);
  CHECK(rounded_sum(Floats{kLargest, 0x1p103f}) == kInf);  // a tie, to what would be even
}

TEST_CASE("small whole numbers: as an integer has it, in float and in double") {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    Floats x;
    std::int64_t sum = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
      const auto whole =
          static_cast<std::int64_t>(course::random_bits(seed, i) % 33554431) - 16777215;
      x.push_back(static_cast<float>(whole));
      sum += static_cast<std::int64_t>(x.back());
    }
    course::WideSum wide;
    wide.add(x);
    CHECK(wide.rounded() == static_cast<float>(sum));
    CHECK(wide.to_double() == static_cast<double>(sum));
    CHECK(course::reproducible_sum(x) == static_cast<float>(sum));
  }
}

TEST_CASE("zeros, infinities and NaN follow the rule") {
  for (const auto sum : {&rounded_sum, &course::reproducible_sum}) {
    CHECK(is_plus_zero(sum(Floats{})));
    CHECK(is_plus_zero(sum(Floats{-0.0f, -0.0f})));
    CHECK(is_plus_zero(sum(Floats{5, -5})));
    CHECK(sum(Floats{kInf, 1}) == kInf);
    CHECK(sum(Floats{-kInf, 1}) == -kInf);
    CHECK(std::isnan(sum(Floats{kInf, -kInf})));
    CHECK(std::isnan(sum(Floats{1, NAN, kInf})));
  }
}

TEST_CASE("the reproducible sum errs by half a fine unit per element at most") {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    Floats x = course::random_floats(1000, seed);
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::ldexp(x[i], static_cast<int>(course::random_bits(seed, i) % 90) - 60);
      largest = std::max(largest, std::abs(static_cast<double>(x[i])));
    }
    course::WideSum wide;
    wide.add(x);
    const double allowed = 1000 * largest * 0x1p-30 + std::abs(wide.to_double()) * 0x1p-24;
    CHECK(std::abs(course::reproducible_sum(x) - wide.to_double()) <= allowed);
  }
}
