// SPDX-License-Identifier: MIT
// semantics/bits.hpp against references that go bit by bit.
#include "semantics/bits.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "semantics/edges.test.hpp"
#include "support/catch.hpp"

namespace {

using namespace emu::exec::semantics;

bool bit(U64 v, int i) { return i < 64 && (v >> i & 1) != 0; }

const U32 kAmounts[] = {0,  1,  7,  8,   15,  16,  17,  31,  32,  33,         62,
                        63, 64, 65, 127, 200, 255, 256, 257, 288, 0x80000000, 0xffffffff};

template <class T>
void check_shifts() {
  const int n = sizeof(T) * 8;
  for (const T a : edges<T>()) {
    for (const U32 amount : kAmounts) {
      T left = 0, right = 0;
      for (int i = 0; i < n; ++i) {
        const bool l =
            amount <= static_cast<U32>(i) && bit(static_cast<U64>(a), i - static_cast<int>(amount));
        const U64 from = U64{amount} + i;
        const bool r =
            from < static_cast<U64>(n) ? bit(static_cast<U64>(a), static_cast<int>(from)) : a < 0;
        left = static_cast<T>(left | static_cast<T>(U64{l} << i));
        right = static_cast<T>(right | static_cast<T>(U64{r} << i));
      }
      REQUIRE(shl<T>(a, amount) == left);
      REQUIRE(shr<T>(a, amount) == right);
    }
  }
}

template <class T>
void check_fields() {
  const int msb = sizeof(T) * 8 - 1;
  for (const T a : edges<T>()) {
    for (const U32 b : kAmounts) {
      for (const U32 c : kAmounts) {
        // Modulo 256 for 32-bit fields, as far as it goes for 64-bit ones.
        const auto size = [](U32 n) {
          return static_cast<int>(sizeof(T) == 4 ? n & 0xff : std::min(n, 1000u));
        };
        const int pos = size(b), len = size(c);
        const bool sign = std::is_signed_v<T> && len != 0 &&
                          bit(static_cast<U64>(a), std::min(pos + len - 1, msb));
        U64 field = 0, inserted = 0x5a5aa5a5c3c33c3c;
        const T into = static_cast<T>(inserted);
        for (int i = 0; i <= msb; ++i) {
          field |= U64{i < len && pos + i <= msb ? bit(static_cast<U64>(a), pos + i) : sign} << i;
        }
        for (int i = 0; i < len && pos + i <= msb; ++i) {
          inserted = (inserted & ~(U64{1} << (pos + i))) | U64{bit(static_cast<U64>(a), i)}
                                                               << (pos + i);
        }
        INFO("a " << +a << " pos " << pos << " len " << len);
        REQUIRE(bfe<T>(a, b, c) == static_cast<T>(field));
        REQUIRE(bfi<T>(a, into, b, c) == static_cast<T>(inserted));
      }
    }
  }
}

template <class T>
void check_counts() {
  using U = std::make_unsigned_t<T>;
  const int n = sizeof(T) * 8;
  for (const T a : edges<T>()) {
    U32 count = 0, zeros = 0, highest = ~0u;
    U64 reversed = 0;
    const bool negative = a < 0;
    for (int i = 0; i < n; ++i) {
      const bool on = bit(static_cast<U64>(a), i);
      count += on;
      zeros = on ? 0 : zeros + 1;
      if (on != negative) highest = static_cast<U32>(i);
      reversed |= U64{on} << (n - 1 - i);
    }
    REQUIRE(popc<U>(static_cast<U>(a)) == count);
    REQUIRE(clz<U>(static_cast<U>(a)) == zeros);
    REQUIRE(brev<U>(static_cast<U>(a)) == static_cast<U>(reversed));
    REQUIRE(bfind<T>(a) == highest);
    REQUIRE(bfind_shift<T>(a) == (highest == ~0u ? ~0u : static_cast<U32>(n) - 1 - highest));
  }
}

}  // namespace

TEST_CASE("shl and shr past the width leave zero or the sign") {
  check_shifts<U16>();
  check_shifts<S16>();
  check_shifts<U32>();
  check_shifts<S32>();
  check_shifts<U64>();
  check_shifts<S64>();
}

TEST_CASE("shf shifts a pair, its amount clamped at 32 or taken modulo 32") {
  for_pairs<U32>([](U32 lo, U32 hi) {
    for (const U32 amount : kAmounts) {
      for (const bool wrap : {false, true}) {
        const int n = wrap          ? static_cast<int>(amount % 32)
                      : amount > 32 ? 32
                                    : static_cast<int>(amount);
        U32 left = 0, right = 0;
        const U64 pair = hi * 0x100000000ull + lo;
        for (int i = 0; i < 32; ++i) {
          left |= U32{bit(pair, 32 + i - n)} << i;
          right |= U32{bit(pair, i + n)} << i;
        }
        REQUIRE((wrap ? shf_l<true>(lo, hi, amount) : shf_l<false>(lo, hi, amount)) == left);
        REQUIRE((wrap ? shf_r<true>(lo, hi, amount) : shf_r<false>(lo, hi, amount)) == right);
      }
    }
  });
}

TEST_CASE("popc, clz, brev and bfind agree with counting bit by bit") {
  check_counts<U32>();
  check_counts<S32>();
  check_counts<U64>();
  check_counts<S64>();
}

TEST_CASE("fns walks from its base as the manual describes") {
  for (const U32 mask : edges<U32>()) {
    for (int base = 0; base < 32; ++base) {
      for (const S32 n : {0, 1, -1, 2, -2, 3, -5, 16, -16, 31, 32, -32, 33, INT32_MAX, INT32_MIN}) {
        U32 want = ~0u;
        if (n == 0) {
          if (bit(mask, base)) want = static_cast<U32>(base);
        } else {
          S64 count = n > 0 ? S64{n} : -S64{n};
          for (int pos = base; pos >= 0 && pos<32; pos += n> 0 ? 1 : -1) {
            if (bit(mask, pos) && --count == 0) {
              want = static_cast<U32>(pos);
              break;
            }
          }
        }
        REQUIRE(fns(mask, static_cast<U32>(base), n) == want);
      }
    }
  }
}

TEST_CASE("bfe and bfi agree with copying bit by bit") {
  check_fields<U32>();
  check_fields<S32>();
  check_fields<U64>();
  check_fields<S64>();
}

TEST_CASE("szext extends from the n-th bit; 0 bits give 0") {
  for (const U32 a : edges<U32>()) {
    for (const U32 b : kAmounts) {
      for (const bool wrap : {false, true}) {
        const U32 n = wrap ? b % 32 : b > 32 ? 32 : b;
        U32 zero = 0, sign = 0;
        for (U32 i = 0; i < 32; ++i) {
          zero |= U32{i < n && bit(a, static_cast<int>(i))} << i;
          if (n > 0) sign |= U32{bit(a, static_cast<int>(i < n ? i : n - 1))} << i;
        }
        const S32 s = static_cast<S32>(a);
        REQUIRE((wrap ? szext<U32, true>(a, b) : szext<U32, false>(a, b)) == zero);
        REQUIRE((wrap ? szext<S32, true>(s, b) : szext<S32, false>(s, b)) ==
                static_cast<S32>(sign));
      }
    }
  }
}

TEST_CASE("bmsk makes ones from a position, clamped or modulo 32") {
  for (const U32 a : kAmounts) {
    for (const U32 b : kAmounts) {
      U32 clamp = 0, wrap = 0;
      for (U64 i = 0; i < 32; ++i) {
        clamp |= U32{i >= a && i < U64{a} + b} << i;
        wrap |= U32{i >= a % 32 && i < U64{a % 32} + b % 32} << i;
      }
      REQUIRE(bmsk<false>(a, b) == clamp);
      REQUIRE(bmsk<true>(a, b) == wrap);
    }
  }
}

TEST_CASE("lop3 looks every bit up in its table") {
  for (U32 table = 0; table < 256; ++table) {
    const Lop3 lop3(table);
    for (int k = 0; k < 8; ++k) {
      const U32 a = k & 4 ? ~0u : 0, b = k & 2 ? ~0u : 0, c = k & 1 ? ~0u : 0;
      REQUIRE(lop3(a, b, c) == (bit(table, k) ? ~0u : 0));
    }
    REQUIRE((lop3(0xf0, 0xcc, 0xaa) & 0xff) == table);
  }
}

TEST_CASE("prmt picks bytes, or their signs with bit 3 of a nibble") {
  const U32 a = 0x83a201f0, b = 0x7788fe55;
  const U8 bytes[8] = {0xf0, 0x01, 0xa2, 0x83, 0x55, 0xfe, 0x88, 0x77};
  for (U32 selector = 0; selector < 0x10000; selector += 7) {
    U32 want = 0;
    for (int i = 3; i >= 0; --i) {
      const U32 nibble = selector / (1u << (4 * i)) % 16;
      const U8 byte = bytes[nibble % 8];
      want = want * 256 + (nibble < 8 ? byte : byte > 127 ? 255 : 0);
    }
    REQUIRE(prmt(a, b, selector) == want);
    REQUIRE(prmt(a, b, selector | 0xabcd0000) == want);
  }
}

TEST_CASE("the modes of prmt extract forward, backward, replicated and clamped bytes") {
  const U32 a = 0x03020100, b = 0x07060504;
  using enum PrmtMode;
  for (U32 c = 0; c < 8; ++c) {
    const int n = static_cast<int>(c % 4);
    U32 f4e = 0, b4e = 0, rc8 = 0, ecl = 0, ecr = 0, rc16 = 0;
    for (int i = 3; i >= 0; --i) {
      f4e = f4e * 256 + static_cast<U32>(n + i);
      b4e = b4e * 256 + static_cast<U32>((n - i + 8) % 8);
      rc8 = rc8 * 256 + static_cast<U32>(n);
      ecl = ecl * 256 + static_cast<U32>(std::max(i, n));
      ecr = ecr * 256 + static_cast<U32>(std::min(i, n));
      rc16 = rc16 * 256 + static_cast<U32>(n % 2 * 2 + i % 2);
    }
    REQUIRE(prmt_mode<F4e>(a, b, c) == f4e);
    REQUIRE(prmt_mode<B4e>(a, b, c) == b4e);
    REQUIRE(prmt_mode<Rc8>(a, b, c) == rc8);
    REQUIRE(prmt_mode<Ecl>(a, b, c) == ecl);
    REQUIRE(prmt_mode<Ecr>(a, b, c) == ecr);
    REQUIRE(prmt_mode<Rc16>(a, b, c) == rc16);
  }
}

TEST_CASE("cnot is 1 for zero and 0 for all else") {
  REQUIRE(cnot<U32>(0) == 1);
  REQUIRE(cnot<U32>(0x80000000) == 0);
  REQUIRE(cnot<U16>(0) == 1);
  REQUIRE(cnot<U64>(1ull << 40) == 0);
}
