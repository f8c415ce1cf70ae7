// SPDX-License-Identifier: MIT
// Shifts, bit fields, counts, logic and byte permutes of PTX, on plain C++ integers. Total
// functions, as in integer.hpp.
//
// Long because what an instruction computes is inlined into its handler.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "semantics/integer.hpp"

namespace emu::exec::semantics {

// ---- shifts: the amount is unsigned and not reduced; past the width 0 or the sign remains
template <class T>
constexpr T shl(T a, std::uint32_t n) {
  return n >= kBits<T> ? T{0} : static_cast<T>(static_cast<Word<T>>(a) << (n & (kBits<T> - 1)));
}
template <class T>
constexpr T shr(T a, std::uint32_t n) {
  if constexpr (kSigned<T>) {
    return static_cast<T>(a >> std::min<std::uint32_t>(n, kBits<T> - 1));
  } else {
    return n >= kBits<T> ? T{0} : static_cast<T>(a >> (n & (kBits<T> - 1)));
  }
}
// n ones from bit 0.
template <class T>
constexpr T low_ones(std::uint32_t n) {
  return static_cast<T>(~shl<T>(static_cast<T>(~T{0}), n));
}

// Funnel shift of the pair hi:lo; kWrap reduces the amount modulo 32, else it is at most 32.
template <bool kWrap>
constexpr std::uint32_t shf_amount(std::uint32_t n) {
  return kWrap ? n & 31 : std::min<std::uint32_t>(n, 32);
}
template <bool kWrap>
constexpr std::uint32_t shf_l(std::uint32_t lo, std::uint32_t hi, std::uint32_t n) {
  const std::uint64_t pair = std::uint64_t{hi} << 32 | lo;
  return static_cast<std::uint32_t>((pair << shf_amount<kWrap>(n)) >> 32);
}
template <bool kWrap>
constexpr std::uint32_t shf_r(std::uint32_t lo, std::uint32_t hi, std::uint32_t n) {
  const std::uint64_t pair = std::uint64_t{hi} << 32 | lo;
  return static_cast<std::uint32_t>(pair >> shf_amount<kWrap>(n));
}

// ---- bits
template <class T>
constexpr std::uint32_t popc(T a) {
  return static_cast<std::uint32_t>(std::popcount(a));
}
template <class T>
constexpr std::uint32_t clz(T a) {
  return static_cast<std::uint32_t>(std::countl_zero(a));
}
template <class T>
constexpr T brev(T a) {
  T r = a;
  if constexpr (sizeof(T) == 8) r = r >> 32 | r << 32;
  const auto swap = [&r](std::uint64_t mask, int by) {
    const T m = static_cast<T>(mask);
    r = static_cast<T>(((r >> by) & m) | ((r & m) << by));
  };
  swap(0x0000ffff0000ffff, 16);
  swap(0x00ff00ff00ff00ff, 8);
  swap(0x0f0f0f0f0f0f0f0f, 4);
  swap(0x3333333333333333, 2);
  swap(0x5555555555555555, 1);
  return r;
}
// Highest bit that differs from the sign (unsigned: highest 1); all ones where there is none.
template <class T>
constexpr std::uint32_t bfind(T a) {
  using U = std::make_unsigned_t<T>;
  const U bits = static_cast<U>(a < 0 ? ~a : a);
  return static_cast<std::uint32_t>(kBits<T> - 1) - clz<U>(bits);
}
// ... as the left shift that brings it to the top; all ones where there is none.
template <class T>
constexpr std::uint32_t bfind_shift(T a) {
  using U = std::make_unsigned_t<T>;
  const U bits = static_cast<U>(a < 0 ? ~a : a);
  return bits == 0 ? ~0u : clz<U>(bits);
}
// The n-th set bit of mask, counted from base upwards (n > 0) or downwards (n < 0), base included;
// n == 0 asks for base itself. All ones if there is none, and for a base over 31, which PTX leaves
// open.
constexpr std::uint32_t fns(std::uint32_t mask, std::uint32_t base, std::int32_t n) {
  if (base > 31) return ~0u;
  if (n == 0) return (mask >> base & 1) ? base : ~0u;
  std::uint32_t left = n > 0 ? mask & (~0u << base) : mask & low_ones<std::uint32_t>(base + 1);
  std::uint32_t skip =
      (n > 0 ? static_cast<std::uint32_t>(n) : 0u - static_cast<std::uint32_t>(n)) - 1;
  if (skip >= popc(left)) return ~0u;
  for (; skip > 0; --skip) left &= ~(n > 0 ? 1u << std::countr_zero(left) : 1u << bfind(left));
  return n > 0 ? static_cast<std::uint32_t>(std::countr_zero(left)) : bfind(left);
}
// The position or length of a bit field of T. The manual takes both modulo 256; 64-bit fields,
// which the hardware has no instruction for, do not wrap on an H200.
template <class T>
constexpr std::uint32_t field_size(std::uint32_t n) {
  return sizeof(T) == 4 ? n & 255 : n;
}
// Past the top of a, a signed field is filled with a's sign.
template <class T>
constexpr T bfe(T a, std::uint32_t pos, std::uint32_t len) {
  const T field = shr<T>(a, field_size<T>(pos));
  len = field_size<T>(len);
  if constexpr (kSigned<T>) {
    const std::uint32_t unused = len >= kBits<T> ? 0 : kBits<T> - len;
    return len == 0 ? T{0} : shr<T>(shl<T>(field, unused), unused);
  } else {
    return field & low_ones<T>(len);
  }
}
template <class T>
constexpr T bfi(T a, T b, std::uint32_t pos, std::uint32_t len) {
  pos = field_size<T>(pos);
  const T mask = shl<T>(low_ones<T>(field_size<T>(len)), pos);
  return static_cast<T>((b & ~mask) | (shl<T>(a, pos) & mask));
}
// The low n bits of a, extended. 0 bits give 0; 32 or more give a (clamp) or count modulo 32
// (wrap).
template <class T, bool kWrap>
constexpr T szext(T a, std::uint32_t n) {
  if constexpr (kWrap) n &= 31;
  if (n == 0) return 0;
  const std::uint32_t unused = n >= 32 ? 0 : 32 - n;
  return shr<T>(shl<T>(a, unused), unused);
}
// `width` ones from bit `pos`, cut off at bit 31.
template <bool kWrap>
constexpr std::uint32_t bmsk(std::uint32_t pos, std::uint32_t width) {
  if constexpr (kWrap) return shl(low_ones<std::uint32_t>(width & 31), pos & 31);
  return shl(low_ones<std::uint32_t>(width), pos);
}

// ---- any logical function of three inputs: bit (a << 2 | b << 1 | c) of the table
class Lop3 {
 public:
  explicit constexpr Lop3(std::uint32_t table) {
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t if0 = 0u - (table >> (2 * i) & 1), if1 = 0u - (table >> (2 * i + 1) & 1);
      at0_[i] = if0;
      change_[i] = if0 ^ if1;
    }
  }
  constexpr std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const auto by_c = [&](int i) { return at0_[i] ^ (c & change_[i]); };
    const auto choose = [](std::uint32_t s, std::uint32_t if0, std::uint32_t if1) {
      return if0 ^ (s & (if0 ^ if1));
    };
    return choose(a, choose(b, by_c(0), by_c(1)), choose(b, by_c(2), by_c(3)));
  }

 private:
  // By b and a: the result where c is 0, and the bits c changes.
  std::uint32_t at0_[4] = {}, change_[4] = {};
};

// ---- byte permutes of the eight bytes b:a. A selector is four nibbles: byte number, and in bit 3
// "its sign instead".
constexpr std::uint32_t prmt(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t d = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t pick = selector >> (4 * i);
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8) byte = (byte & 0x80) ? 0xff : 0;
    d |= byte << (8 * i);
  }
  return d;
}
// The modes stand for the selector of each value of c & 3.
enum class PrmtMode : std::uint8_t { F4e, B4e, Rc8, Ecl, Ecr, Rc16 };
inline constexpr std::uint16_t kPrmtSelectors[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543},  // f4e: four bytes forward from c
    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e: four bytes backward from c
    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8: byte c everywhere
    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl: clamped from below at c
    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr: clamped from above at c
    {0x1010, 0x3232, 0x1010, 0x3232},  // rc16: half-word c everywhere
};
template <PrmtMode kMode>
constexpr std::uint32_t prmt_mode(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return prmt(a, b, kPrmtSelectors[static_cast<int>(kMode)][c & 3]);
}

// C's logical not.
template <class T>
constexpr T cnot(T a) {
  return a == 0;
}

}  // namespace emu::exec::semantics
