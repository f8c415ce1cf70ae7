// SPDX-License-Identifier: MIT
// semantics/integer.hpp against references written another way: in 128 bits, or bit by bit.
#include "semantics/integer.hpp"

#include <cstdint>

#include "semantics/edges.test.hpp"
#include "support/catch.hpp"

namespace {

using namespace emu::exec::semantics;

// The low bits of a 128-bit value.
template <class T>
T low(Int128 v) {
  return static_cast<T>(static_cast<U64>(static_cast<UInt128>(v)));
}
// Bits n..n+w-1 of v as T.
template <class T>
T bits_from(Int128 v, int n) {
  return low<T>(v >> n);
}
Int128 clamp32(Int128 v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v; }

// 128-bit results, cut to T.
template <class T>
void check_arithmetic() {
  const int n = sizeof(T) * 8;
  for_pairs<T>([&](T a, T b) {
    const Int128 x = a, y = b;
    // A product of two u64 does not fit Int128; wrapping multiplication of UInt128 has the same
    // bits.
    const UInt128 product = static_cast<UInt128>(x) * static_cast<UInt128>(y);
    INFO("a " << +a << " b " << +b);
    REQUIRE(add<T>(a, b) == low<T>(x + y));
    REQUIRE(sub<T>(a, b) == low<T>(x - y));
    REQUIRE(mul_lo<T>(a, b) == low<T>(static_cast<Int128>(product)));
    REQUIRE(mul_hi<T>(a, b) == static_cast<T>(static_cast<U64>(product >> n)));
    REQUIRE(min<T>(a, b) == (x < y ? a : b));
    REQUIRE(max<T>(a, b) == (x > y ? a : b));
    for (const T c : {T{0}, T{1}, static_cast<T>(~T{0}), a}) {
      REQUIRE(mad_lo<T>(a, b, c) ==
              low<T>(static_cast<Int128>(product + static_cast<UInt128>(Int128{c}))));
      REQUIRE(mad_hi<T>(a, b, c) == low<T>(Int128{mul_hi<T>(a, b)} + c));
      REQUIRE(sad<T>(a, b, c) == low<T>(c + (x < y ? y - x : x - y)));
    }
    if (b == 0) {
      REQUIRE(div<T>(a, b) == static_cast<T>(~T{0}));
      REQUIRE(rem<T>(a, b) == static_cast<T>(~T{0}));
    } else {
      REQUIRE(div<T>(a, b) == low<T>(x / y));
      REQUIRE(rem<T>(a, b) == low<T>(x % y));
    }
  });
}

template <class T>
void check_carry() {
  const int n = sizeof(T) * 8;
  for_pairs<T>([&](T a, T b) {
    for (const T c : {T{0}, T{1}}) {
      const Int128 sum = Int128{a} + b + c, difference = Int128{a} - b - c;
      REQUIRE(add_carry<T>(a, b, c) == low<T>(sum));
      REQUIRE(carry_out<T>(a, b, c) == ((sum >> n) != 0));
      REQUIRE(sub_borrow<T>(a, b, c) == low<T>(difference));
      REQUIRE(borrow_out<T>(a, b, c) == (difference < 0));
    }
  });
}

}  // namespace

TEST_CASE(
    "add, sub, mul, mad, sad, min, max, div and rem agree with 128-bit arithmetic for every "
    "integer type") {
  check_arithmetic<U16>();
  check_arithmetic<S16>();
  check_arithmetic<U32>();
  check_arithmetic<S32>();
  check_arithmetic<U64>();
  check_arithmetic<S64>();
}

TEST_CASE("the smallest number divided by -1 wraps and leaves no remainder") {
  REQUIRE(div<S32>(INT32_MIN, -1) == INT32_MIN);
  REQUIRE(rem<S32>(INT32_MIN, -1) == 0);
  REQUIRE(div<S64>(INT64_MIN, -1) == INT64_MIN);
  REQUIRE(rem<S64>(INT64_MIN, -1) == 0);
  REQUIRE(div<S16>(INT16_MIN, -1) == INT16_MIN);
  REQUIRE(rem<S16>(INT16_MIN, -1) == 0);
}

TEST_CASE("abs and neg wrap at the smallest number") {
  REQUIRE(abs<S32>(INT32_MIN) == INT32_MIN);
  REQUIRE(neg<S64>(INT64_MIN) == INT64_MIN);
  REQUIRE(neg<S16>(INT16_MIN) == INT16_MIN);
  for (const S32 a : edges<S32>()) {
    REQUIRE(abs<S32>(a) == low<S32>(a < 0 ? -Int128{a} : Int128{a}));
    REQUIRE(neg<S32>(a) == low<S32>(-Int128{a}));
  }
}

TEST_CASE("wide products and sums keep all bits") {
  for_pairs<S32>([](S32 a, S32 b) {
    REQUIRE(mul_wide<S32>(a, b) == low<S64>(Int128{a} * b));
    REQUIRE(mad_wide<S32>(a, b, INT64_MAX) == low<S64>(Int128{a} * b + INT64_MAX));
  });
  for_pairs<U32>([](U32 a, U32 b) { REQUIRE(mul_wide<U32>(a, b) == low<U64>(Int128{a} * b)); });
  for_pairs<S16>([](S16 a, S16 b) { REQUIRE(mul_wide<S16>(a, b) == low<S32>(Int128{a} * b)); });
  for_pairs<U16>([](U16 a, U16 b) { REQUIRE(mul_wide<U16>(a, b) == low<U32>(Int128{a} * b)); });
}

TEST_CASE("saturating forms clamp at the ends of s32") {
  for_pairs<S32>([](S32 a, S32 b) {
    REQUIRE(add_sat(a, b) == clamp32(Int128{a} + b));
    REQUIRE(sub_sat(a, b) == clamp32(Int128{a} - b));
    for (const S32 c : {0, 1, -1, INT32_MAX, INT32_MIN}) {
      REQUIRE(mad_hi_sat(a, b, c) == clamp32(((Int128{a} * b) >> 32) + c));
    }
  });
}

TEST_CASE("24-bit products take the low 24 bits, and .hi is bits 47 to 16") {
  for_pairs<U32>([](U32 a, U32 b) {
    const Int128 product = Int128{a % 0x1000000} * (b % 0x1000000);
    REQUIRE(mul24_lo<U32>(a, b) == bits_from<U32>(product, 0));
    REQUIRE(mul24_hi<U32>(a, b) == bits_from<U32>(product, 16));
    REQUIRE(mad24_hi<U32>(a, b, 9) == bits_from<U32>(product, 16) + 9);
  });
  for_pairs<S32>([](S32 a, S32 b) {
    const auto low24 = [](S32 x) {
      const S32 m = x & 0xffffff;
      return m >= 0x800000 ? m - 0x1000000 : m;
    };
    const Int128 product = Int128{low24(a)} * low24(b);
    REQUIRE(mul24_lo<S32>(a, b) == bits_from<S32>(product, 0));
    REQUIRE(mul24_hi<S32>(a, b) == bits_from<S32>(product, 16));
    REQUIRE(mad24_lo<S32>(a, b, -3) == bits_from<S32>(product - 3, 0));
    REQUIRE(mad24_hi_sat(a, b, INT32_MAX) ==
            clamp32(Int128{bits_from<S32>(product, 16)} + INT32_MAX));
  });
}

TEST_CASE("carry and borrow leave and enter as in longer arithmetic") {
  check_carry<U32>();
  check_carry<U64>();
}

TEST_CASE("packed 16-bit operations keep their halves apart") {
  REQUIRE(packed<U16, &add<U16>>(0xffff0001, 0x0001ffff) == 0x00000000);
  REQUIRE(packed<S16, &min<S16>>(0x8000ffff, 0x7fff0000) == 0x8000ffff);
  REQUIRE(packed<U16, &min<U16>>(0x8000ffff, 0x7fff0000) == 0x7fff0000);
  REQUIRE(packed<S16, &max<S16>>(0x8000ffff, 0x7fff0000) == 0x7fff0000);
  REQUIRE(packed<S16, &max_relu<S16>>(0x8000fffe, 0x9000ffff) == 0);
  REQUIRE(packed<S16, &min_relu<S16>>(0x0005fffe, 0x00070003) == 0x00050000);
  REQUIRE(min_relu<S32>(-4, 3) == 0);
  REQUIRE(max_relu<S32>(-4, 3) == 3);
}

TEST_CASE("dp4a and dp2a sum products of parts with the sign of each side") {
  const auto part = [](U32 v, int at, int width, bool is_signed) {
    const S64 u = v >> at & ((1ll << width) - 1);
    return is_signed && u >= 1ll << (width - 1) ? u - (1ll << width) : u;
  };
  for_pairs<U32>([&](U32 a, U32 b) {
    const auto dot = [&](int n, int wa, bool sa, bool sb, int first) {
      S64 sum = 0x7ffffff0;
      for (int i = 0; i < n; ++i) sum += part(a, wa * i, wa, sa) * part(b, 8 * (i + first), 8, sb);
      return static_cast<U32>(static_cast<U64>(sum));
    };
    const U32 c = 0x7ffffff0;
    REQUIRE(dp4a<U8, U8>(a, b, c) == dot(4, 8, false, false, 0));
    REQUIRE(dp4a<U8, S8>(a, b, c) == dot(4, 8, false, true, 0));
    REQUIRE(dp4a<S8, U8>(a, b, c) == dot(4, 8, true, false, 0));
    REQUIRE(dp4a<S8, S8>(a, b, c) == dot(4, 8, true, true, 0));
    REQUIRE(dp2a<U16, U8, false>(a, b, c) == dot(2, 16, false, false, 0));
    REQUIRE(dp2a<U16, S8, true>(a, b, c) == dot(2, 16, false, true, 2));
    REQUIRE(dp2a<S16, U8, false>(a, b, c) == dot(2, 16, true, false, 0));
    REQUIRE(dp2a<S16, S8, true>(a, b, c) == dot(2, 16, true, true, 2));
  });
}
