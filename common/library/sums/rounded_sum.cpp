// SPDX-License-Identifier: MIT
#include "common/sums/rounded_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace course {

void WideSum::add(float x) {
  if (!std::isfinite(x)) {
    nan_ = nan_ || std::isnan(x);
    above_ = above_ || x > 0;
    below_ = below_ || x < 0;
    return;
  }
  magnitudes_ += std::abs(static_cast<double>(x));
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const unsigned exponent = bits >> 23 & 0xff;
  // x = fraction 2^place in units of 2^-149.
  std::uint64_t fraction = bits & 0x7fffff;
  if (exponent > 0) fraction |= 0x800000;
  const unsigned place = exponent > 0 ? exponent - 1 : 0;
  std::size_t word = place / 64;
  const unsigned shift = place % 64;
  const std::uint64_t parts[2] = {fraction << shift, shift > 40 ? fraction >> (64 - shift) : 0};
  bool carry = false;
  for (std::size_t i = 0; word < kWords && (i < 2 || carry); ++i, ++word) {
    const std::uint64_t part = i < 2 ? parts[i] : 0, old = words_[word];
    if (bits >> 31) {
      words_[word] = old - part - carry;
      carry = old < part || (old == part && carry);
    } else {
      words_[word] = old + part + carry;
      carry = words_[word] < old || (carry && words_[word] == old);
    }
  }
}

void WideSum::add(std::span<const float> x) {
  for (const float value : x) add(value);
}

template <class F>
F WideSum::rounded_to(int digits) const {
  if (nan_ || (above_ && below_)) return std::numeric_limits<F>::quiet_NaN();
  if (above_ || below_) return above_ ? INFINITY : -INFINITY;
  auto words = words_;
  const bool negative = words[kWords - 1] >> 63;
  if (negative) {
    bool carry = true;
    for (auto& word : words) {
      word = ~word + carry;
      carry = carry && word == 0;
    }
  }
  int top = 64 * kWords - 1;
  const auto bit = [&](int at) {
    return words[static_cast<std::size_t>(at) / 64] >> (at % 64) & 1;
  };
  while (top >= 0 && !bit(top)) --top;
  if (top < 0) return 0;
  const int lowest = std::max(0, top - digits + 1);  // of those that stay
  std::uint64_t kept = 0;
  for (int at = top; at >= lowest; --at) kept = kept << 1 | bit(at);
  bool rest = false;
  for (int at = 0; at < lowest - 1; ++at) rest = rest || bit(at);
  if (lowest > 0 && bit(lowest - 1) && (rest || (kept & 1))) ++kept;
  const double value = std::ldexp(static_cast<double>(kept), lowest - 149);
  return static_cast<F>(negative ? -value : value);  // exact, or beyond the largest: infinite
}

float WideSum::rounded() const { return rounded_to<float>(24); }
double WideSum::to_double() const { return rounded_to<double>(53); }
double WideSum::magnitudes() const { return magnitudes_; }

float rounded_sum(std::span<const float> x) {
  WideSum sum;
  sum.add(x);
  return sum.rounded();
}

namespace {

float nearest_float(unsigned __int128 magnitude, int unit, bool negative) {
  if (magnitude == 0) return 0;
  // More than 64 bits: what falls off at the bottom is kept as one bit, so that nothing is a tie that
  // is none. A double of 53 bits with such a bit rounds to float as the number itself would.
  int up = 0;
  bool rest = false;
  while (magnitude >> 52 != 0) {
    rest = rest || (magnitude & 1);
    magnitude >>= 1;
    ++up;
  }
  const auto kept = static_cast<std::uint64_t>(magnitude) << 1 | rest;
  const double value = std::ldexp(static_cast<double>(kept), unit + up - 1);
  return static_cast<float>(negative ? -value : value);
}

}  // namespace

float reproducible_sum(std::span<const float> x) {
  WideSum special;  // says what infinities and NaN come to
  double largest = 0;
  for (const float value : x) {
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(static_cast<double>(value)));
    else
      special.add(value);
  }
  if (special.rounded() != 0) return special.rounded();
  int k = -5;
  while (largest >= std::ldexp(1.0, 30 * k + 10)) ++k;
  const int coarse = 30 * k - 19, fine = coarse - 30;
  // Powers of two: multiplying by them is exact.
  const double in_coarse = std::ldexp(1.0, -coarse), in_fine = std::ldexp(1.0, -fine);
  const double unit = std::ldexp(1.0, coarse);
  __int128 sum = 0;
  for (const double value : x) {
    const double much = std::round(value * in_coarse), left = value - much * unit;
    sum += static_cast<__int128>(static_cast<std::int64_t>(much)) << 30;
    sum += static_cast<std::int64_t>(std::round(left * in_fine));
  }
  return nearest_float(static_cast<unsigned __int128>(sum < 0 ? -sum : sum), fine, sum < 0);
}

}  // namespace course
