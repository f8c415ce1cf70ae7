// SPDX-License-Identifier: MIT
// What the integer arithmetic of PTX computes, on plain C++ integers. Nothing here knows of lanes
// or registers.
//
// All functions are total: every input has a result and no input is undefined behaviour in C++.
// Where PTX leaves a result open (division by zero), what NVIDIA's hardware gives is chosen and
// said.
//
// Long because what an instruction computes is inlined into its handler.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace emu::exec::semantics {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T) * 8);
template <class T>
inline constexpr bool kSigned = std::is_signed_v<T>;

// Unsigned type of T's width, widened to what C++ computes in: no promotion to a signed int that
// could overflow.
template <class T>
using Word = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
struct TwiceOf;
template <>
struct TwiceOf<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct TwiceOf<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct TwiceOf<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct TwiceOf<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct TwiceOf<std::int64_t> {
  using type = Int128;
};
template <>
struct TwiceOf<std::uint64_t> {
  using type = UInt128;
};
// The type that holds a product of two T.
template <class T>
using Twice = typename TwiceOf<T>::type;

// ---- add, subtract, multiply: wrapping unless said otherwise
template <class T>
constexpr T add(T a, T b) {
  return static_cast<T>(static_cast<Word<T>>(a) + static_cast<Word<T>>(b));
}
template <class T>
constexpr T sub(T a, T b) {
  return static_cast<T>(static_cast<Word<T>>(a) - static_cast<Word<T>>(b));
}
constexpr std::int32_t saturate_s32(std::int64_t v) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX));
}
constexpr std::int32_t add_sat(std::int32_t a, std::int32_t b) {
  return saturate_s32(std::int64_t{a} + b);
}
constexpr std::int32_t sub_sat(std::int32_t a, std::int32_t b) {
  return saturate_s32(std::int64_t{a} - b);
}

template <class T>
constexpr T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<Word<T>>(a) * static_cast<Word<T>>(b));
}
template <class T>
constexpr Twice<T> mul_wide(T a, T b) {
  return static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b);
}
template <class T>
constexpr T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> kBits<T>);
}
template <class T>
constexpr T mad_lo(T a, T b, T c) {
  return add<T>(mul_lo(a, b), c);
}
template <class T>
constexpr T mad_hi(T a, T b, T c) {
  return add<T>(mul_hi(a, b), c);
}
template <class T>
constexpr Twice<T> mad_wide(T a, T b, Twice<T> c) {
  return add<Twice<T>>(mul_wide(a, b), c);
}
constexpr std::int32_t mad_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return add_sat(mul_hi(a, b), c);
}

// ---- 24-bit products: the operands' low 24 bits, extended by the type's sign; .hi is bits 47..16
template <class T>
constexpr Twice<T> product24(T a, T b) {
  const auto low24 = [](T x) {
    return static_cast<T>(static_cast<T>(static_cast<Word<T>>(x) << 8) >> 8);
  };
  return mul_wide(low24(a), low24(b));
}
template <class T>
constexpr T mul24_lo(T a, T b) {
  return static_cast<T>(product24(a, b));
}
template <class T>
constexpr T mul24_hi(T a, T b) {
  return static_cast<T>(product24(a, b) >> 16);
}
template <class T>
constexpr T mad24_lo(T a, T b, T c) {
  return add<T>(mul24_lo(a, b), c);
}
template <class T>
constexpr T mad24_hi(T a, T b, T c) {
  return add<T>(mul24_hi(a, b), c);
}
constexpr std::int32_t mad24_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return add_sat(mul24_hi(a, b), c);
}

// ---- with a carry of 0 or 1. A borrow is kept as 1, as PTX defines CC.CF.
template <class T>
constexpr T add_carry(T a, T b, T carry) {
  return static_cast<T>(a + b + carry);
}
// A carry leaves the top bit if both operands have it, or one has it and the sum has lost it.
template <class T>
constexpr bool carry_out(T a, T b, T carry) {
  const T sum = add_carry(a, b, carry);
  return static_cast<T>((a & b) | ((a | b) & ~sum)) >> (kBits<T> - 1);
}
template <class T>
constexpr T sub_borrow(T a, T b, T borrow) {
  return static_cast<T>(a - b - borrow);
}
template <class T>
constexpr bool borrow_out(T a, T b, T borrow) {
  const T difference = sub_borrow(a, b, borrow);
  return static_cast<T>((~a & b) | ((~a | b) & difference)) >> (kBits<T> - 1);
}

// ---- divide: quotient and remainder of a division by zero are all ones (seen on an H200); MIN /
// -1 wraps to MIN
template <class T>
constexpr T div(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (kSigned<T>) {
    if (b == T{-1}) return sub<T>(0, a);
  }
  return static_cast<T>(a / b);
}
template <class T>
constexpr T rem(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (kSigned<T>) {
    if (b == T{-1}) return 0;
  }
  return static_cast<T>(a % b);
}

template <class T>
constexpr T neg(T a) {
  return sub<T>(0, a);
}
template <class T>
constexpr T abs(T a) {
  return a < 0 ? neg(a) : a;
}
template <class T>
constexpr T min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
constexpr T min_relu(T a, T b) {
  return max<T>(min(a, b), 0);
}
template <class T>
constexpr T max_relu(T a, T b) {
  return max<T>(max(a, b), 0);
}
template <class T>
constexpr T sad(T a, T b, T c) {
  return add<T>(c, a < b ? sub(b, a) : sub(a, b));
}

// Two 16-bit numbers in a word: kOp on each half. T tells the sign of the halves.
template <class T, T (*kOp)(T, T)>
constexpr std::uint32_t packed(std::uint32_t a, std::uint32_t b) {
  const auto lo = kOp(static_cast<T>(a), static_cast<T>(b));
  const auto hi = kOp(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
  return std::uint32_t{static_cast<std::uint16_t>(lo)} |
         std::uint32_t{static_cast<std::uint16_t>(hi)} << 16;
}

// ---- dot products of packed numbers; A and B tell the sign of each side's parts
template <class A, class B>
constexpr std::uint32_t dp4a(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (int i = 0; i < 32; i += 8) {
    c += static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> i)} *
                                    std::int32_t{static_cast<B>(b >> i)});
  }
  return c;
}
// A is a 16-bit type, B an 8-bit one; the bytes are b's lower or upper two.
template <class A, class B, bool kHigh>
constexpr std::uint32_t dp2a(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if constexpr (kHigh) b >>= 16;
  c +=
      static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a)} * std::int32_t{static_cast<B>(b)});
  return c + static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> 16)} *
                                        std::int32_t{static_cast<B>(b >> 8)});
}

}  // namespace emu::exec::semantics
