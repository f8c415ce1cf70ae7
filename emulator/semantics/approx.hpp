// SPDX-License-Identifier: MIT
// The approximate functions of PTX (ex2, lg2, sin, cos, tanh, rcp, rsqrt, sqrt, div): our own,
// frozen, the same bits on every machine. Computed in double with +, -, *, / and square root alone
// and rounded once to f32, so the error is about half a unit in the last place, well inside what
// the PTX manual allows; the hardware's own last bits differ.
//
// Must be compiled without contraction (-ffp-contract=off); only bind_approx.cpp includes it.
//
// Long because what an instruction computes is inlined into its handler.
#pragma once

#include <cstdint>

#include "semantics/float.hpp"
#include "semantics/half.hpp"

namespace emu::exec::semantics {

// Nearest whole number of |x| < 2^51, and that number as bits in the low end of the sum.
inline constexpr double kToWhole = 0x1.8p52;

// 2^x for |x| <= 1000 or so, relative error about 2^-37. Taylor series of e^y, |y| <= ln(2) / 2.
inline double ex2_double(double x) {
  const double shifted = x + kToWhole;
  const double n = shifted - kToWhole;
  const double y = (x - n) * 0x1.62e42fefa39efp-1;
  double p = 1.0 / 362880.0;
  p = p * y + 1.0 / 40320.0;
  p = p * y + 1.0 / 5040.0;
  p = p * y + 1.0 / 720.0;
  p = p * y + 1.0 / 120.0;
  p = p * y + 1.0 / 24.0;
  p = p * y + 1.0 / 6.0;
  p = p * y + 0.5;
  p = p * y + 1.0;
  p = p * y + 1.0;
  // The low bits of `shifted` are n in two's complement: added to the exponent they scale by 2^n.
  return std::bit_cast<double>(bits_of(p) + (bits_of(shifted) << 52));
}

inline float ex2(float x) {
  // Past these bounds the result is infinity or zero; the clamp keeps the scaling in range. NaN
  // falls through to the end.
  const double wide = static_cast<double>(x);
  const double bounded = wide > 200.0 ? 200.0 : (wide < -200.0 ? -200.0 : wide);
  const float r = static_cast<float>(ex2_double(bounded == bounded ? bounded : 0.0));
  return x == x ? r : std::bit_cast<float>(kNanF32);
}

// log2 of a positive finite x: exponent + 2 / ln 2 * artanh((m - 1) / (m + 1)), m in [sqrt(1/2),
// sqrt 2).
inline double lg2_double(double x) {
  const std::uint64_t bits = bits_of(x);
  const std::uint64_t fraction = bits & 0xfffffffffffffu;
  const bool upper = fraction >= 0x6a09e667f3bcdu;
  const double m =
      std::bit_cast<double>(fraction | (upper ? 0x3fe0000000000000u : 0x3ff0000000000000u));
  const int exponent = static_cast<int>(bits >> 52) - 1023 + (upper ? 1 : 0);
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 13.0;
  p = p * z + 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z + 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z + 1.0 / 3.0;
  p = p * z + 1.0;
  return static_cast<double>(exponent) + p * s * 0x1.71547652b82fep+1;
}

inline float lg2(float x) {
  const std::uint32_t bits = bits_of(x);
  if ((bits & 0x7fffffffu) == 0) return std::bit_cast<float>(0xff800000u);
  if (bits > 0x7f800000u) return std::bit_cast<float>(kNanF32);  // NaN or negative
  if (bits == 0x7f800000u) return x;
  return static_cast<float>(lg2_double(static_cast<double>(x)));
}

// x - n * pi / 2 in [-pi / 4, pi / 4], and n modulo 4.
struct Reduced {
  double r;
  unsigned quadrant;
};

// 2 / pi: 64 zero bits before the point, then its first 320 bits.
inline constexpr std::uint64_t kTwoOverPi[6] = {0,
                                                0xa2f9836e4e441529u,
                                                0xfc2757d1f534ddc0u,
                                                0xdb6295993c439041u,
                                                0xfe5163abdebbc561u,
                                                0xb7246e3a424dd2e0u};

// For |x| >= 2^17. x = significand * 2^exponent; bits of 2 / pi that only add multiples of 4 to the
// product are left out, and the 128 bits behind them make x * 2 / pi modulo 4 with 126 bits behind
// the point, the last 24 of them inexact.
inline Reduced reduce_large(float x) {
  using Wide = unsigned __int128;
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t significand = (bits & 0x7fffffu) | 0x800000u;
  const int at = static_cast<int>((bits >> 23) & 0xffu) - 150 - 2 + 64;
  const auto window = [](int from) {
    const int word = from / 64, shift = from % 64;
    return shift == 0 ? kTwoOverPi[word]
                      : kTwoOverPi[word] << shift | kTwoOverPi[word + 1] >> (64 - shift);
  };
  const Wide turns = (static_cast<Wide>(window(at)) << 64 | window(at + 64)) * significand;
  unsigned quadrant = static_cast<unsigned>(turns >> 126);
  std::uint64_t rest = static_cast<std::uint64_t>(turns >> 62);  // the fraction's first 64 bits
  const bool upper = (rest >> 63) != 0;                          // nearer to the next quarter
  if (upper) {
    quadrant = (quadrant + 1) & 3;
    rest = ~rest;
  }
  const double r = static_cast<double>(rest) * 0x1p-64 * 0x1.921fb54442d18p+0;
  const bool negative = (bits >> 31) != 0;
  return {upper != negative ? -r : r, negative ? (4 - quadrant) & 3 : quadrant};
}

inline Reduced reduce(float x) {
  const double wide = static_cast<double>(x);
  if ((bits_of(x) & 0x7fffffffu) >= 0x48000000u) return reduce_large(x);
  const double shifted = wide * 0x1.45f306dc9c883p-1 + kToWhole;
  const double n = shifted - kToWhole;
  // pi / 2 in three parts; the products with the first two are exact.
  const double r =
      ((wide - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  return {r, static_cast<unsigned>(bits_of(shifted)) & 3u};
}

inline double sin_series(double r) {
  const double z = r * r;
  double p = 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return p * z * r + r;
}
inline double cos_series(double r) {
  const double z = r * r;
  double p = 1.0 / 479001600.0;
  p = p * z - 1.0 / 3628800.0;
  p = p * z + 1.0 / 40320.0;
  p = p * z - 1.0 / 720.0;
  p = p * z + 1.0 / 24.0;
  p = p * z - 0.5;
  return p * z + 1.0;
}

// turn = 0: sine, 1: cosine (a quarter turn ahead).
inline float sin_cos(float x, unsigned turn) {
  if ((bits_of(x) & 0x7fffffffu) >= 0x7f800000u) return std::bit_cast<float>(kNanF32);
  if (turn == 0 && x == 0.0f) return x;
  const Reduced a = reduce(x);
  const unsigned quadrant = (a.quadrant + turn) & 3;
  const double v = (quadrant & 1) != 0 ? cos_series(a.r) : sin_series(a.r);
  return static_cast<float>((quadrant & 2) != 0 ? -v : v);
}

inline float tanh_f32(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return std::bit_cast<float>(kNanF32);
  const double wide = static_cast<double>(std::bit_cast<float>(magnitude));
  double r;
  if (magnitude >= 0x41200000u) {  // 10 and above
    r = 1.0;
  } else if (magnitude < 0x3e800000u) {  // below 1/4: Taylor series
    const double z = wide * wide;
    double p = 21844.0 / 6081075.0;
    p = p * z - 1382.0 / 155925.0;
    p = p * z + 62.0 / 2835.0;
    p = p * z - 17.0 / 315.0;
    p = p * z + 2.0 / 15.0;
    p = p * z - 1.0 / 3.0;
    r = p * z * wide + wide;
  } else {
    const double e = ex2_double(wide * 0x1.71547652b82fep+1);
    r = (e - 1.0) / (e + 1.0);
  }
  return std::bit_cast<float>(bits_of(static_cast<float>(r)) | (bits & 0x80000000u));
}

inline float rsqrt_f32(float x) {
  return canonical(static_cast<float>(1.0 / root(static_cast<double>(x))));
}

// a / b; a divisor above 2^126 gives zero (NaN for infinity over it), as the manual says of
// div.approx.
template <bool kFtz>
inline float div_approx(float a, float b) {
  const std::uint32_t divisor = bits_of(b) & 0x7fffffffu;
  const std::uint32_t sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
  if (divisor > 0x7e800000u && divisor < 0x7f800000u && a == a) {
    const bool infinite = (bits_of(a) & 0x7fffffffu) == 0x7f800000u;
    return std::bit_cast<float>(infinite ? kNanF32 : sign);
  }
  return flush_tiny<kFtz>(a / b, tiny_quotient(a, b));
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 see and deliver the upper word alone: 1 sign, 11
// exponent, 20 fraction bits.
inline double upper_word(double x) {
  const std::uint64_t b = bits_of(x) & 0xffffffff00000000u;
  return std::bit_cast<double>((b & 0x7ff0000000000000u) == 0 ? b & 0x8000000000000000u : b);
}
inline double to_upper_word(double r) {
  if (r != r) return std::bit_cast<double>(std::uint64_t{0x7fffffff00000000u});
  const std::uint64_t b = bits_of(r);
  const std::uint64_t rounded = (b + 0x7fffffffu + ((b >> 32) & 1u)) & 0xffffffff00000000u;
  return upper_word(std::bit_cast<double>(rounded));
}
inline double rcp_approx_f64(double x) { return to_upper_word(1.0 / upper_word(x)); }
inline double rsqrt_approx_f64(double x) { return to_upper_word(1.0 / root(upper_word(x))); }
inline double rsqrt_f64(double x) { return finish(1.0 / root(x), x); }

}  // namespace emu::exec::semantics
