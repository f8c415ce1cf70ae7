// SPDX-License-Identifier: MIT
// Binary floating-point formats as bits: taking a number apart and rounding an exact one into a
// format, in every mode. Integer arithmetic only, so the bits are the same on every machine. The
// slow and general way; float.hpp and half.hpp hold the fast ways for the common cases.
//
// Long because what an instruction computes is inlined into its handler.
#pragma once

#include <bit>
#include <cstdint>

namespace emu::exec::semantics {

enum class Round : std::uint8_t { NearestEven, Zero, Down, Up, NearestAway };

// IEEE layout: sign, exponent, fraction. e4m3 has no infinity, and one NaN per sign.
struct Format {
  int exponent_bits;
  int fraction_bits;
  bool has_infinity = true;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int width() const { return 1 + exponent_bits + fraction_bits; }
  constexpr std::uint64_t sign_bit() const { return std::uint64_t{1} << (width() - 1); }
  constexpr std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  // All ones below the sign: the NaN NVIDIA hardware delivers for f16, bf16, f32 and the 8-bit
  // formats.
  constexpr std::uint64_t canonical_nan() const { return sign_bit() - 1; }
  constexpr std::uint64_t infinity() const { return canonical_nan() & ~fraction_mask(); }
  // The largest finite magnitude.
  constexpr std::uint64_t max_norm() const {
    return has_infinity ? infinity() - 1 : canonical_nan() - 1;
  }
};

inline constexpr Format kF16{5, 10};
inline constexpr Format kBF16{8, 7};
inline constexpr Format kF32{8, 23};
inline constexpr Format kTF32{8, 10};
inline constexpr Format kF64{11, 52};
inline constexpr Format kE4M3{4, 3, false};
inline constexpr Format kE5M2{5, 2};

// (-1)^sign * significand * 2^exponent; `sticky` says that bits below were lost.
struct Number {
  enum class Kind : std::uint8_t { Zero, Finite, Infinity, NaN };
  Kind kind = Kind::Zero;
  bool sign = false;
  bool sticky = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

constexpr Number decode(std::uint64_t bits, const Format& f) {
  Number n;
  n.sign = (bits & f.sign_bit()) != 0;
  const std::uint64_t magnitude = bits & f.canonical_nan();
  const int exponent = static_cast<int>(magnitude >> f.fraction_bits);
  const std::uint64_t fraction = magnitude & f.fraction_mask();
  if (f.has_infinity ? magnitude > f.infinity() : magnitude == f.canonical_nan()) {
    n.kind = Number::Kind::NaN;
  } else if (f.has_infinity && magnitude == f.infinity()) {
    n.kind = Number::Kind::Infinity;
  } else if (magnitude != 0) {
    n.kind = Number::Kind::Finite;
    n.significand = exponent == 0 ? fraction : fraction | (f.fraction_mask() + 1);
    n.exponent = (exponent == 0 ? 1 : exponent) - f.bias() - f.fraction_bits;
  }
  return n;
}

constexpr Number from_integer(std::uint64_t magnitude, bool negative) {
  Number n;
  if (magnitude == 0) return n;
  n.kind = Number::Kind::Finite;
  n.sign = negative;
  n.significand = magnitude;
  return n;
}

// Whether a magnitude must go up by one unit, given what is cut off: the first bit and whether
// anything follows it.
constexpr bool rounds_up(Round mode, bool sign, bool odd, bool half, bool rest) {
  switch (mode) {
    case Round::NearestEven:
      return half && (rest || odd);
    case Round::NearestAway:
      return half;
    case Round::Zero:
      return false;
    case Round::Down:
      return sign && (half || rest);
    case Round::Up:
      return !sign && (half || rest);
  }
  return false;
}

// significand * 2^-shift as an integer, rounded; shift >= 0, sticky as in Number.
constexpr std::uint64_t shift_right(std::uint64_t significand, int shift, bool sticky, Round mode,
                                    bool sign) {
  if (shift == 0)
    return significand + (rounds_up(mode, sign, significand & 1, false, sticky) ? 1 : 0);
  const std::uint64_t kept = shift > 63 ? 0 : significand >> shift;
  const bool half = shift > 64 ? false : ((significand >> (shift - 1)) & 1) != 0;
  const std::uint64_t below =
      shift > 64 ? significand : significand & ((std::uint64_t{1} << (shift - 1)) - 1);
  return kept + (rounds_up(mode, sign, kept & 1, half, below != 0 || sticky) ? 1 : 0);
}

// The bits of n in format f, rounded once. Overflow gives infinity or the largest number as the
// mode says; in a format without infinity it gives the NaN. NaN gives the canonical one.
constexpr std::uint64_t encode(const Number& n, const Format& f, Round mode) {
  const std::uint64_t sign = n.sign ? f.sign_bit() : 0;
  switch (n.kind) {
    case Number::Kind::Zero:
      return sign;
    case Number::Kind::NaN:
      return f.canonical_nan();
    case Number::Kind::Infinity:
      return f.has_infinity ? sign | f.infinity() : f.canonical_nan();
    case Number::Kind::Finite:
      break;
  }
  // Normalise to 64 bits; top is the exponent of the leading bit.
  const int zeros = std::countl_zero(n.significand);
  const std::uint64_t significand = n.significand << zeros;
  const int top = n.exponent - zeros + 63;
  const int lowest = 1 - f.bias();
  const bool subnormal = top < lowest;
  int shift = 63 - f.fraction_bits + (subnormal ? lowest - top : 0);
  if (shift > 66) shift = 66;  // all of it is below half a unit
  const std::uint64_t rounded = shift_right(significand, shift, n.sticky, mode, n.sign);
  // A carry out of the fraction walks into the exponent, which is what it should do.
  std::uint64_t magnitude = rounded;
  if (!subnormal) {
    const int biased = top + f.bias() - 1;
    if (biased > 2 * f.bias() + 1) {
      magnitude = f.max_norm() + 1;
    } else {
      magnitude += static_cast<std::uint64_t>(biased) << f.fraction_bits;
    }
  }
  if (magnitude > f.max_norm()) {
    const bool away = mode == Round::NearestEven || mode == Round::NearestAway ||
                      (mode == Round::Up && !n.sign) || (mode == Round::Down && n.sign);
    magnitude = away ? f.max_norm() + 1 : f.max_norm();
  }
  return sign | magnitude;
}

// n rounded to a whole number.
constexpr Number to_integral(Number n, Round mode) {
  if (n.kind != Number::Kind::Finite || n.exponent >= 0) return n;
  const int shift = n.exponent < -66 ? 66 : -n.exponent;
  n.significand = shift_right(n.significand, shift, n.sticky, mode, n.sign);
  n.exponent = 0;
  n.sticky = false;
  if (n.significand == 0) n.kind = Number::Kind::Zero;
  return n;
}

}  // namespace emu::exec::semantics
