// SPDX-License-Identifier: MIT
// cvt between any two number types, in every rounding and saturation, on bits. General and exact;
// the conversions that nvcc emits most have a fast way in bind_convert_fast.cpp, tested against
// this one.
#pragma once

#include <cstdint>

#include "semantics/formats.hpp"

namespace emu::exec::semantics {

// An integer of `bits` bits, or a floating-point format (bits = 0).
struct NumberType {
  int bits = 0;
  bool is_signed = false;
  Format format = kF32;
  int shift = 0;  // the format's bits stand this far left in the register (tf32: 13)

  constexpr bool is_float() const { return bits == 0; }
};

struct ConvertRule {
  NumberType from, to;
  Round round = Round::NearestEven;
  bool integral = false;          // .rni .rzi .rmi .rpi on a float result: to a whole number
  bool ftz_in = false;            // a subnormal source counts as zero
  bool ftz_out = false;           // a subnormal result becomes zero
  bool sat = false;               // integers: clamp; floats: [0, 1]
  bool satfinite = false;         // too large, infinity included, gives the largest number
  bool relu = false;              // negative gives +0
  std::uint64_t nan_integer = 0;  // what NaN becomes as an integer
};

constexpr std::uint64_t low_bits(int bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

// The low `bits` of x, extended to 64 by sign or by zeros.
constexpr std::uint64_t extend(std::uint64_t x, int bits, bool is_signed) {
  const int gap = 64 - bits;
  if (is_signed) return static_cast<std::uint64_t>(static_cast<std::int64_t>(x << gap) >> gap);
  return (x << gap) >> gap;
}

// sign and magnitude clamped to an integer type, as a 64-bit pattern extended by the type's own
// sign.
constexpr std::uint64_t clamp_integer(std::uint64_t magnitude, bool negative,
                                      const NumberType& to) {
  if (!to.is_signed)
    return negative ? 0 : (magnitude > low_bits(to.bits) ? low_bits(to.bits) : magnitude);
  const std::uint64_t limit = low_bits(to.bits - 1) + (negative ? 1 : 0);
  if (magnitude > limit) magnitude = limit;
  return negative ? std::uint64_t{0} - magnitude : magnitude;
}

constexpr std::uint64_t float_to_integer(const Number& n, const ConvertRule& rule) {
  switch (n.kind) {
    case Number::Kind::NaN:
      return extend(rule.nan_integer, rule.to.bits, rule.to.is_signed);
    case Number::Kind::Zero:
      return 0;
    case Number::Kind::Infinity:
      return clamp_integer(~std::uint64_t{0}, n.sign, rule.to);
    case Number::Kind::Finite:
      break;
  }
  const Number whole = to_integral(n, rule.round);
  if (whole.kind == Number::Kind::Zero) return 0;
  const bool huge = whole.exponent > 0 && std::countl_zero(whole.significand) < whole.exponent;
  return clamp_integer(huge ? ~std::uint64_t{0} : whole.significand << whole.exponent, whole.sign,
                       rule.to);
}

constexpr bool is_subnormal(std::uint64_t bits, const Format& f) {
  return (bits & f.canonical_nan()) <= f.fraction_mask();
}

// Below the normal numbers, rounded as if exponents had no end.
constexpr bool is_tiny(Number n, const Format& f, Round mode) {
  constexpr int away = 64;
  if (n.kind != Number::Kind::Finite) return false;
  n.exponent += away;
  return (encode(n, f, mode) & f.canonical_nan()) >> f.fraction_bits <= away;
}

// To and from f64 a NaN keeps its sign and payload and becomes quiet; every other NaN result is the
// canonical one of its format. (As an H200 does it; so are the exceptions: .ftz makes the source
// canonical first, .rna.tf32 only cuts bits off.)
constexpr std::uint64_t nan_result(std::uint64_t source, const ConvertRule& rule) {
  const Format& from = rule.from.format;
  const Format& to = rule.to.format;
  if (rule.round == Round::NearestAway && !rule.satfinite) return source >> rule.to.shift;
  if (rule.ftz_in) source = from.canonical_nan();
  if (to.width() != 64 && from.width() != 64) return to.canonical_nan();
  const std::uint64_t sign = (source & from.sign_bit()) != 0 ? to.sign_bit() : 0;
  const int shift = to.fraction_bits - from.fraction_bits;
  const std::uint64_t payload = source & from.fraction_mask();
  return sign | to.infinity() | ((to.fraction_mask() + 1) >> 1) |
         (shift >= 0 ? payload << shift : payload >> -shift);
}

constexpr std::uint64_t to_float(Number n, std::uint64_t source, const ConvertRule& rule) {
  const Format& f = rule.to.format;
  const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) << f.fraction_bits;
  if (n.kind == Number::Kind::NaN) {
    if (rule.sat) return 0;
    return nan_result(source, rule) << rule.to.shift;
  }
  if (rule.integral) n = to_integral(n, rule.round);
  std::uint64_t r = encode(n, f, rule.round);
  if (rule.satfinite && (r & f.canonical_nan()) > f.max_norm())
    r = (r & f.sign_bit()) | f.max_norm();
  if (rule.satfinite && n.kind == Number::Kind::Infinity) {
    r = (n.sign ? f.sign_bit() : 0) | f.max_norm();
  }
  if (rule.ftz_out && is_tiny(n, f, rule.round)) r &= f.sign_bit();
  if ((rule.sat || rule.relu) && (r & f.sign_bit()) != 0) r = 0;
  if (rule.sat && r > one) r = one;
  return r << rule.to.shift;
}

// The source's register (only the bits of its type are looked at) to the destination's, extended to
// 64 bits.
constexpr std::uint64_t convert(std::uint64_t source, const ConvertRule& rule) {
  Number n;
  if (rule.from.is_float()) {
    const Format& f = rule.from.format;
    source = (source >> rule.from.shift) & low_bits(f.width());
    n = decode(source, f);
    if (rule.ftz_in && is_subnormal(source, f)) {
      n = Number{};
      n.sign = (source & f.sign_bit()) != 0;
    }
    if (!rule.to.is_float()) return float_to_integer(n, rule);
    return to_float(n, source, rule);
  }
  const std::uint64_t value = extend(source, rule.from.bits, rule.from.is_signed);
  const bool negative = rule.from.is_signed && (value >> 63) != 0;
  const std::uint64_t magnitude = negative ? std::uint64_t{0} - value : value;
  if (rule.to.is_float()) return to_float(from_integer(magnitude, negative), 0, rule);
  if (rule.sat) return clamp_integer(magnitude, negative, rule.to);
  return extend(value, rule.to.bits, rule.to.is_signed);
}

}  // namespace emu::exec::semantics
