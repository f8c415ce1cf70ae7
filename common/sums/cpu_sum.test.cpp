// SPDX-License-Identifier: MIT
// The CPU's sums: what the kernels are compared with must itself be right.
#include "common/sums/cpu_sum.hpp"

#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "common/input.hpp"
#include "common/parallel.hpp"
#include "support/catch.hpp"

using course::cpu_sum;
using course::cpu_sum_threads;
using course::exact_sum;
using Ints = std::vector<int>;
using Floats = std::vector<float>;

namespace {
constexpr float kInf = std::numeric_limits<float>::infinity();
int sum_of(const Ints& x) { return cpu_sum(std::span<const int>(x)); }
float sum_of(const Floats& x) { return cpu_sum(std::span<const float>(x)); }
}  // namespace

TEST_CASE("the sum of nothing is 0") {
  CHECK(sum_of(Ints{}) == 0);
  CHECK(sum_of(Floats{}) == 0);
  CHECK(cpu_sum_threads(std::span<const int>(), 4) == 0);
  CHECK(exact_sum(Floats{}).sum == 0);
  CHECK(exact_sum(Floats{}).sum_abs == 0);
}

TEST_CASE("integers wrap, as on the GPU") {
  CHECK(sum_of(Ints{INT32_MAX, 1}) == INT32_MIN);
  CHECK(sum_of(Ints{INT32_MIN, -1}) == INT32_MAX);
  CHECK(sum_of(Ints{INT32_MIN, INT32_MIN}) == 0);
}

TEST_CASE("one thread adds floats in order, in float") {
  CHECK(sum_of(Floats{0x1p24f, 1, 1}) == 0x1p24f);
  CHECK(sum_of(Floats{1, 1, 0x1p24f}) == 0x1p24f + 2);
}

TEST_CASE("many threads find the same integer sum, also with fewer elements than threads") {
  for (const std::size_t n : {0, 1, 2, 3, 7, 1000}) {
    const Ints x = course::random_ints(n, 5);
    for (const unsigned threads : {0u, 1u, 2u, 3u, 8u}) {
      INFO("n " << n << ", threads " << threads);
      CHECK(cpu_sum_threads(std::span<const int>(x), threads) == sum_of(x));
    }
  }
}

TEST_CASE("many threads find the same sum of whole floats") {
  const Floats x = course::exact_floats(100'003, 5);
  CHECK(cpu_sum_threads(std::span<const float>(x), 7) == sum_of(x));
}

TEST_CASE("compensation keeps what a plain sum in double loses") {
  const Floats x{1, 1e30f, 1, -1e30f};
  double plain = 0;
  for (const float v : x) plain += v;
  CHECK(plain == 0);
  CHECK(exact_sum(x).sum == 2);
}

TEST_CASE("compensation holds over many elements of very different size") {
  Floats x;
  for (int i = 0; i < 1000; ++i) x.insert(x.end(), {1e30f, 0.125f, -1e30f});
  CHECK(exact_sum(x).sum == 125);
}

TEST_CASE("compensation holds across the pieces that the cores add up") {
  Floats x(2 * course::kPiece + 5, 0.0f);
  x[0] = 1;
  x[1] = 1e30f;
  x[course::kPiece + 1] = 1;
  x[2 * course::kPiece + 4] = -1e30f;
  CHECK(exact_sum(x).sum == 2);
  CHECK(exact_sum(x).sum_abs == Approx(2e30));
}

TEST_CASE("the sum of |x| is that of the absolute values") {
  CHECK(exact_sum(Floats{1, -2, 3}).sum_abs == 6);
  CHECK(exact_sum(Floats{-1e38f, -1e38f, -1e38f, -1e38f}).sum_abs == Approx(4e38));
}

TEST_CASE("a sum beyond the range of float is finite in double") {
  CHECK(exact_sum(Floats{3e38f, 3e38f}).sum == Approx(6e38));
}

TEST_CASE("denormal numbers count") {
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  CHECK(exact_sum(Floats{kTiny, kTiny, kTiny}).sum == 3 * static_cast<double>(kTiny));
}

TEST_CASE("infinities and NaN come out as IEEE 754 says") {
  CHECK(exact_sum(Floats{1, kInf, 2}).sum == INFINITY);
  CHECK(exact_sum(Floats{1, -kInf, 2}).sum == -INFINITY);
  CHECK(std::isnan(exact_sum(Floats{kInf, 1, -kInf}).sum));
  CHECK(std::isnan(exact_sum(Floats{1, NAN, 2}).sum));
  Floats apart(course::kPiece + 1, 0.0f);
  apart.front() = kInf;
  CHECK(exact_sum(apart).sum == INFINITY);
  apart.back() = -kInf;
  CHECK(std::isnan(exact_sum(apart).sum));
}
