// SPDX-License-Identifier: MIT
// semantics/compare.hpp: every comparison word on every kind of number, against the definitions of
// the manual on doubles.
#include "semantics/compare.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace emu::exec::semantics;

constexpr std::string_view kWords[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                       "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

// The manual's definition, on doubles.
bool expected(std::string_view word, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (word == "num") return !unordered;
  if (word == "nan") return unordered;
  if (unordered) return word.size() == 3;  // equ, neu, ...
  const std::string_view two = word.substr(0, 2);
  if (two == "eq") return a == b;
  if (two == "ne") return a != b;
  if (two == "lt") return a < b;
  if (two == "le") return a <= b;
  if (two == "gt") return a > b;
  return a >= b;
}

template <class Order>
bool relation_holds(Relation relation, typename Order::Bits a, typename Order::Bits b) {
  switch (relation) {
    case Relation::Equal:
      return holds<Order, Relation::Equal>(a, b);
    case Relation::Less:
      return holds<Order, Relation::Less>(a, b);
    case Relation::LessEqual:
      return holds<Order, Relation::LessEqual>(a, b);
    case Relation::LessGreater:
      return holds<Order, Relation::LessGreater>(a, b);
    case Relation::Numbers:
      return holds<Order, Relation::Numbers>(a, b);
  }
  return false;
}

template <class Order>
bool compare(std::string_view word, bool is_float, typename Order::Bits a, typename Order::Bits b) {
  const auto c = comparison(word, is_float);
  REQUIRE(c.has_value());
  return relation_holds<Order>(c->relation, c->swap ? b : a, c->swap ? a : b) != c->complement;
}

// The value of a binary floating-point format with so many exponent and mantissa bits; subnormals
// are 0 with ftz.
double value(std::uint64_t bits, int exponent_bits, int mantissa_bits, bool ftz) {
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  const int exponent = static_cast<int>(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
  const bool negative = (bits >> (mantissa_bits + exponent_bits) & 1) != 0;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  double magnitude = 0;
  if (exponent == (1 << exponent_bits) - 1) {
    magnitude = mantissa != 0 ? std::nan("") : INFINITY;
  } else if (exponent == 0) {
    magnitude = ftz ? 0 : std::ldexp(static_cast<double>(mantissa), 1 - bias - mantissa_bits);
  } else {
    const std::uint64_t whole = mantissa | std::uint64_t{1} << mantissa_bits;
    magnitude = std::ldexp(static_cast<double>(whole), exponent - bias - mantissa_bits);
  }
  return negative ? -magnitude : magnitude;
}

template <class Order>
void check_format(int exponent_bits, int mantissa_bits, bool ftz) {
  const int shift = mantissa_bits;
  const std::uint64_t top = (std::uint64_t{1} << exponent_bits) - 1,
                      ones = (std::uint64_t{1} << shift) - 1;
  const std::uint64_t one = top >> 1;
  std::vector<std::uint64_t> magnitudes = {0,
                                           1,
                                           ones,
                                           std::uint64_t{1} << shift,
                                           one << shift,
                                           (one << shift) + 1,
                                           (top << shift) - 1,
                                           top << shift,
                                           (top << shift) + 1,
                                           (top << shift) | ones};
  std::vector<typename Order::Bits> all;
  for (const std::uint64_t m : magnitudes) {
    all.push_back(static_cast<typename Order::Bits>(m));
    all.push_back(
        static_cast<typename Order::Bits>(m | std::uint64_t{1} << (exponent_bits + mantissa_bits)));
  }
  for (const std::string_view word : kWords) {
    for (const auto a : all) {
      for (const auto b : all) {
        INFO(word << " " << std::hex << a << " " << b);
        REQUIRE(compare<Order>(word, true, a, b) ==
                expected(word, value(a, exponent_bits, mantissa_bits, ftz),
                         value(b, exponent_bits, mantissa_bits, ftz)));
      }
    }
  }
}

template <class T>
void check_integers() {
  using Bits = typename IntegerOrder<T>::Bits;
  const T values[] = {
      0, 1, static_cast<T>(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 77};
  for (const T a : values) {
    for (const T b : values) {
      const auto check = [&](std::string_view word, bool want) {
        REQUIRE(compare<IntegerOrder<T>>(word, false, static_cast<Bits>(a), static_cast<Bits>(b)) ==
                want);
      };
      check("eq", a == b);
      check("ne", a != b);
      check("lt", a < b);
      check("le", a <= b);
      check("gt", a > b);
      check("ge", a >= b);
      if constexpr (std::is_unsigned_v<T>) {
        check("lo", a < b);
        check("ls", a <= b);
        check("hi", a > b);
        check("hs", a >= b);
      }
    }
  }
}

}  // namespace

TEST_CASE(
    "f32, f64, f16 and bf16 compare as the manual says, NaN, infinities, zeros and subnormals "
    "included") {
  check_format<F32Order>(8, 23, false);
  check_format<F64Order>(11, 52, false);
  check_format<F16Order>(5, 10, false);
  check_format<BF16Order>(8, 7, false);
}

TEST_CASE("with .ftz subnormals compare as zero") {
  check_format<F32FtzOrder>(8, 23, true);
  check_format<F16FtzOrder>(5, 10, true);
}

TEST_CASE("integers compare by their sign, and lo, ls, hi, hs are the unsigned orders") {
  check_integers<std::uint16_t>();
  check_integers<std::int16_t>();
  check_integers<std::uint32_t>();
  check_integers<std::int32_t>();
  check_integers<std::uint64_t>();
  check_integers<std::int64_t>();
}

TEST_CASE("a word that is no comparison is told apart") {
  REQUIRE_FALSE(comparison("and", false).has_value());
  REQUIRE_FALSE(comparison("ftz", true).has_value());
  REQUIRE(comparison("geu", true)->of_float);
  REQUIRE(comparison("hs", false)->of_unsigned);
}
