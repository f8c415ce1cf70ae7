// SPDX-License-Identifier: MIT
// References for tests: floating-point arithmetic by the textbook, on 128-bit integers. Slow, and
// shares with the code under test only decode() and encode() of semantics/formats.hpp, which have
// tests of their own.
#pragma once

#include <cstdint>

#include "semantics/formats.hpp"

namespace emu::exec::reference {

using semantics::decode;
using semantics::encode;
using semantics::Format;
using semantics::Number;
using semantics::Round;
using Wide = unsigned __int128;

// magnitude * 2^exponent in 64 bits, with a trace of what was cut off.
inline Number number(bool sign, Wide magnitude, int exponent, bool sticky = false) {
  Number n;
  if (magnitude == 0) return n;
  while (magnitude >> 64) {
    sticky = sticky || (magnitude & 1) != 0;
    magnitude >>= 1;
    ++exponent;
  }
  n.kind = Number::Kind::Finite;
  n.sign = sign;
  n.sticky = sticky;
  n.significand = static_cast<std::uint64_t>(magnitude);
  n.exponent = exponent;
  return n;
}

inline bool finite(std::uint64_t bits, const Format& f) {
  const auto kind = decode(bits, f).kind;
  return kind == Number::Kind::Finite || kind == Number::Kind::Zero;
}

// x + y for products of at most 48 bits. Zero sums: +0, or -0 rounding down.
inline std::uint64_t add(bool sx, Wide x, int ex, bool sy, Wide y, int ey, const Format& f,
                         Round mode) {
  if (x == 0 && y == 0) return (sx == sy ? sx : mode == Round::Down) ? f.sign_bit() : 0;
  constexpr int kFar = 72;  // further apart the smaller one is only a trace
  if (x == 0 || (y != 0 && ex < ey)) return add(sy, y, ey, sx, x, ex, f, mode);
  if (y != 0) {
    // Drop zeros of y's end so that "far" means far.
    if (ex - ey > kFar) {
      const Wide top = x << kFar;
      const Wide trace = 1;
      return encode(number(sx, sx == sy ? top + trace : top - trace, ex - kFar), f, mode);
    }
    x <<= ex - ey;
    ex = ey;
  }
  const bool less = x < y;
  const Wide sum = sx == sy ? x + y : (less ? y - x : x - y);
  if (sum == 0) return mode == Round::Down ? f.sign_bit() : 0;
  return encode(number(sx == sy ? sx : (less ? sy : sx), sum, ex), f, mode);
}

// a * b + c of finite operands of at most 24 bits.
inline std::uint64_t fma(std::uint64_t a, std::uint64_t b, std::uint64_t c, const Format& f,
                         Round mode) {
  const Number x = decode(a, f), y = decode(b, f), z = decode(c, f);
  return add(x.sign != y.sign, static_cast<Wide>(x.significand) * y.significand,
             x.exponent + y.exponent, z.sign, z.significand, z.exponent, f, mode);
}

inline std::uint64_t sum(std::uint64_t a, std::uint64_t b, const Format& f, Round mode) {
  const Number x = decode(a, f), y = decode(b, f);
  return add(x.sign, x.significand, x.exponent, y.sign, y.significand, y.exponent, f, mode);
}

inline std::uint64_t product(std::uint64_t a, std::uint64_t b, const Format& f, Round mode) {
  const Number x = decode(a, f), y = decode(b, f);
  const bool sign = x.sign != y.sign;
  const Wide p = static_cast<Wide>(x.significand) * y.significand;
  if (p == 0) return sign ? f.sign_bit() : 0;
  return encode(number(sign, p, x.exponent + y.exponent), f, mode);
}

// a / b, b not zero.
inline std::uint64_t quotient(std::uint64_t a, std::uint64_t b, const Format& f, Round mode) {
  const Number x = decode(a, f), y = decode(b, f);
  const bool sign = x.sign != y.sign;
  if (x.significand == 0) return sign ? f.sign_bit() : 0;
  const int zx = std::countl_zero(x.significand);
  const Wide top = static_cast<Wide>(x.significand << zx) << 63;
  const Wide q = top / y.significand;
  return encode(number(sign, q, x.exponent - zx - 63 - y.exponent, top % y.significand != 0), f,
                mode);
}

// Square root of a positive number, bit by bit.
inline std::uint64_t root(std::uint64_t a, const Format& f, Round mode) {
  const Number x = decode(a, f);
  if (x.significand == 0) return a;
  int exponent = x.exponent - std::countl_zero(x.significand);
  Wide m = static_cast<Wide>(x.significand << std::countl_zero(x.significand)) << 62;
  exponent -= 62;
  if (exponent % 2 != 0) {
    m <<= 1;
    --exponent;
  }
  Wide r = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const Wide next = r | static_cast<Wide>(1) << bit;
    if (next * next <= m) r = next;
  }
  return encode(number(false, r, exponent / 2, r * r != m), f, mode);
}

}  // namespace emu::exec::reference
