// SPDX-License-Identifier: MIT
// Integer arithmetic (PTX 9.7.1) and the video instructions, executed as PTX. Expected values are worked out in 128-bit
// arithmetic from the wording of the manual.
#include <bit>
#include <cstdlib>

#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using I16 = std::int16_t;
using U16 = std::uint16_t;
using I32 = std::int32_t;
using U32 = std::uint32_t;
using I64 = std::int64_t;
using U64 = std::uint64_t;
__extension__ using Wide = __int128;

template <class T>
std::string type_name() {
  return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}
// f.operator()<T>() for each of the integer types.
template <class F>
void for_all(F&& f) {
  f.template operator()<U16>();
  f.template operator()<I16>();
  f.template operator()<U32>();
  f.template operator()<I32>();
  f.template operator()<U64>();
  f.template operator()<I64>();
}
template <class T>
T low(Wide x) {
  return static_cast<T>(x);
}
// The upper half of a product, exactly: 64 x 64 bits fit 128 in either sign.
template <class T>
T high(T a, T b) {
  if constexpr (std::is_same_v<T, U64>) {
    __extension__ using UWide = unsigned __int128;
    return static_cast<T>(static_cast<UWide>(a) * b >> 64);
  } else {
    return static_cast<T>(static_cast<Wide>(a) * b >> (8 * sizeof(T)));
  }
}
I32 clamp32(Wide x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : static_cast<I32>(x); }

// op on both 16-bit halves.
template <class H, class F>
U32 halves(U32 a, U32 b, F&& op) {
  const auto lo = static_cast<U16>(op(static_cast<H>(a), static_cast<H>(b)));
  const auto hi = static_cast<U16>(op(static_cast<H>(a >> 16), static_cast<H>(b >> 16)));
  return lo | static_cast<U32>(hi) << 16;
}
std::vector<U32> packed_edges() {
  std::vector<U32> v;
  for (U32 x : {0u, 1u, 0x7fffu, 0x8000u, 0xffffu})
    for (U32 y : {0u, 1u, 0x7fffu, 0x8000u, 0xffffu}) v.push_back(y << 16 | x);
  for (U32 r : edges<U32>()) v.push_back(r);
  return v;
}

}  // namespace

ROW_TEST(add_int, "wraps in every width; .sat.s32 clamps; 16x2 halves do not carry") {
  for_all([]<class T>() {
    expect_all<T>("add." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return low<T>(Wide(a) + b); }, edges<T>(),
                  edges<T>());
  });
  expect_all<I32>("add.sat.s32 %d, %a, %b;", [](I32 a, I32 b) { return clamp32(Wide(a) + b); }, edges<I32>(),
                  edges<I32>());
  for (const char* t : {"u16x2", "s16x2"})
    expect_all<U32>(std::string("add.") + t + " %d, %a, %b;",
                    [](U32 a, U32 b) { return halves<U16>(a, b, [](int x, int y) { return x + y; }); }, packed_edges(),
                    packed_edges());
  // Immediates: sign-extended to the width.
  expect<I64>("add.s64 %d, %a, -3;", [](I64 a) { return low<I64>(Wide(a) - 3); }, edges<I64>());
}

ROW_TEST(sub_int, "wraps in every width; .sat.s32 clamps") {
  for_all([]<class T>() {
    expect_all<T>("sub." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return low<T>(Wide(a) - b); }, edges<T>(),
                  edges<T>());
  });
  expect_all<I32>("sub.sat.s32 %d, %a, %b;", [](I32 a, I32 b) { return clamp32(Wide(a) - b); }, edges<I32>(),
                  edges<I32>());
}

ROW_TEST(mul_int, "gives the low, the high and the whole product") {
  for_all([]<class T>() {
    expect_all<T>("mul.lo." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return low<T>(Wide(a) * b); },
                  edges<T>(), edges<T>());
    expect_all<T>("mul.hi." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return high(a, b); }, edges<T>(),
                  edges<T>());
  });
  expect_all<U32>("mul.wide.u16 %d, %a, %b;", [](U16 a, U16 b) { return U32{a} * b; }, edges<U16>(), edges<U16>());
  expect_all<I32>("mul.wide.s16 %d, %a, %b;", [](I16 a, I16 b) { return I32{a} * b; }, edges<I16>(), edges<I16>());
  expect_all<U64>("mul.wide.u32 %d, %a, %b;", [](U32 a, U32 b) { return U64{a} * b; }, edges<U32>(), edges<U32>());
  expect_all<I64>("mul.wide.s32 %d, %a, %b;", [](I32 a, I32 b) { return I64{a} * b; }, edges<I32>(), edges<I32>());
}

ROW_TEST(mad_int, "adds c to the low, the high or the whole product; .hi.sat.s32 clamps the sum") {
  for_all([]<class T>() {
    const auto few = edges<T>(2);
    expect_all<T>("mad.lo." + type_name<T>() + " %d, %a, %b, %c;",
                  [](T a, T b, T c) { return low<T>(low<T>(Wide(a) * b) + Wide(c)); }, few, few, edges<T>(1));
    expect_all<T>("mad.hi." + type_name<T>() + " %d, %a, %b, %c;",
                  [](T a, T b, T c) { return low<T>(Wide(high(a, b)) + c); }, few, few, edges<T>(1));
  });
  const auto s = edges<I32>(2);
  expect_all<I32>("mad.hi.sat.s32 %d, %a, %b, %c;", [](I32 a, I32 b, I32 c) { return clamp32(Wide(high(a, b)) + c); },
                  s, s, s);
  expect_all<U32>("mad.wide.u16 %d, %a, %b, %c;", [](U16 a, U16 b, U32 c) { return U32{a} * b + c; }, edges<U16>(2),
                  edges<U16>(2), edges<U32>(2));
  expect_all<I32>("mad.wide.s16 %d, %a, %b, %c;", [](I16 a, I16 b, I32 c) { return low<I32>(Wide(a) * b + c); },
                  edges<I16>(2), edges<I16>(2), s);
  expect_all<U64>("mad.wide.u32 %d, %a, %b, %c;", [](U32 a, U32 b, U64 c) { return U64{a} * b + c; }, edges<U32>(2),
                  edges<U32>(2), edges<U64>(2));
  expect_all<I64>("mad.wide.s32 %d, %a, %b, %c;", [](I32 a, I32 b, I64 c) { return low<I64>(Wide(a) * b + c); }, s, s,
                  edges<I64>(2));
}

namespace {
template <class T>
Wide product24(T a, T b) {
  const auto cut = [](T x) -> Wide {
    if constexpr (std::is_signed_v<T>) {
      return static_cast<I32>(static_cast<U32>(x) << 8) >> 8;
    } else {
      return x & 0xffffff;
    }
  };
  return cut(a) * cut(b);
}
}  // namespace

ROW_TEST(mul24, "multiplies the low 24 bits and gives the low or the high 32 of 48") {
  const auto u = edges<U32>(), v = std::vector<U32>{0, 1, 0x7fffff, 0x800000, 0xffffff, 0x1000001, 0xdeadbeef};
  std::vector<I32> s(edges<I32>());
  for (U32 x : v) s.push_back(static_cast<I32>(x));
  expect_all<U32>("mul24.lo.u32 %d, %a, %b;", [](U32 a, U32 b) { return low<U32>(product24(a, b)); }, u, v);
  expect_all<U32>("mul24.hi.u32 %d, %a, %b;", [](U32 a, U32 b) { return low<U32>(product24(a, b) >> 16); }, u, v);
  expect_all<I32>("mul24.lo.s32 %d, %a, %b;", [](I32 a, I32 b) { return low<I32>(product24(a, b)); }, s, s);
  expect_all<I32>("mul24.hi.s32 %d, %a, %b;", [](I32 a, I32 b) { return low<I32>(product24(a, b) >> 16); }, s, s);
}

ROW_TEST(mad24, "adds c to the product of 24-bit numbers; .hi.sat.s32 clamps") {
  const auto u = edges<U32>(2);
  const auto s = edges<I32>(2);
  expect_all<U32>("mad24.lo.u32 %d, %a, %b, %c;", [](U32 a, U32 b, U32 c) { return low<U32>(product24(a, b) + c); }, u,
                  u, u);
  expect_all<U32>("mad24.hi.u32 %d, %a, %b, %c;",
                  [](U32 a, U32 b, U32 c) { return low<U32>((product24(a, b) >> 16) + c); }, u, u, u);
  expect_all<I32>("mad24.lo.s32 %d, %a, %b, %c;", [](I32 a, I32 b, I32 c) { return low<I32>(product24(a, b) + c); }, s,
                  s, s);
  expect_all<I32>("mad24.hi.s32 %d, %a, %b, %c;",
                  [](I32 a, I32 b, I32 c) { return low<I32>((product24(a, b) >> 16) + c); }, s, s, s);
  expect_all<I32>("mad24.hi.sat.s32 %d, %a, %b, %c;",
                  [](I32 a, I32 b, I32 c) { return clamp32(Wide(low<I32>(product24(a, b) >> 16)) + c); }, s, s, s);
}

ROW_TEST(sad, "adds the absolute difference to c") {
  for_all([]<class T>() {
    const auto few = edges<T>(2);
    expect_all<T>("sad." + type_name<T>() + " %d, %a, %b, %c;",
                  [](T a, T b, T c) { return low<T>(Wide(c) + (a < b ? Wide(b) - a : Wide(a) - b)); }, few, few, few);
  });
}

// PTX leaves division by zero open; an H200 gives all ones, and the dividend as the remainder.
ROW_TEST(div_int, "truncates towards zero; by zero gives all ones") {
  for_all([]<class T>() {
    expect_all<T>("div." + type_name<T>() + " %d, %a, %b;",
                  [](T a, T b) { return b == 0 ? static_cast<T>(~T{0}) : low<T>(Wide(a) / b); }, edges<T>(),
                  edges<T>());
  });
}

ROW_TEST(rem_int, "has the sign of the dividend") {
  for_all([]<class T>() {
    std::vector<T> divisors;
    for (T b : edges<T>())
      if (b != 0) divisors.push_back(b);
    expect_all<T>("rem." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return low<T>(Wide(a) % b); }, edges<T>(),
                  divisors);
  });
}

ROW_TEST(abs_int, "wraps at the minimum") {
  const auto test = []<class T>() {
    expect<T>("abs." + type_name<T>() + " %d, %a;", [](T a) { return low<T>(a < 0 ? -Wide(a) : Wide(a)); }, edges<T>());
  };
  test.operator()<I16>();
  test.operator()<I32>();
  test.operator()<I64>();
}

ROW_TEST(neg_int, "wraps at the minimum") {
  const auto test = []<class T>() {
    expect<T>("neg." + type_name<T>() + " %d, %a;", [](T a) { return low<T>(-Wide(a)); }, edges<T>());
  };
  test.operator()<I16>();
  test.operator()<I32>();
  test.operator()<I64>();
}

ROW_TEST(min_int, "takes the smaller by sign; .relu lifts to zero; halves apart") {
  for_all([]<class T>() {
    expect_all<T>("min." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return a < b ? a : b; }, edges<T>(),
                  edges<T>());
  });
  expect_all<I32>("min.relu.s32 %d, %a, %b;", [](I32 a, I32 b) { return std::max(std::min(a, b), 0); }, edges<I32>(),
                  edges<I32>());
  const auto p = packed_edges();
  expect_all<U32>("min.u16x2 %d, %a, %b;",
                  [](U32 a, U32 b) { return halves<U16>(a, b, [](U16 x, U16 y) { return std::min(x, y); }); }, p, p);
  expect_all<U32>("min.s16x2 %d, %a, %b;",
                  [](U32 a, U32 b) { return halves<I16>(a, b, [](I16 x, I16 y) { return std::min(x, y); }); }, p, p);
  expect_all<U32>("min.relu.s16x2 %d, %a, %b;",
                  [](U32 a, U32 b) {
                    return halves<I16>(a, b, [](I16 x, I16 y) { return std::max<I16>(std::min(x, y), 0); });
                  },
                  p, p);
}

ROW_TEST(max_int, "takes the larger by sign; .relu lifts to zero; halves apart") {
  for_all([]<class T>() {
    expect_all<T>("max." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return a > b ? a : b; }, edges<T>(),
                  edges<T>());
  });
  expect_all<I32>("max.relu.s32 %d, %a, %b;", [](I32 a, I32 b) { return std::max(std::max(a, b), 0); }, edges<I32>(),
                  edges<I32>());
  const auto p = packed_edges();
  expect_all<U32>("max.u16x2 %d, %a, %b;",
                  [](U32 a, U32 b) { return halves<U16>(a, b, [](U16 x, U16 y) { return std::max(x, y); }); }, p, p);
  expect_all<U32>("max.s16x2 %d, %a, %b;",
                  [](U32 a, U32 b) { return halves<I16>(a, b, [](I16 x, I16 y) { return std::max(x, y); }); }, p, p);
  expect_all<U32>("max.s16x2.relu %d, %a, %b;",
                  [](U32 a, U32 b) {
                    return halves<I16>(a, b, [](I16 x, I16 y) { return std::max<I16>(std::max(x, y), 0); });
                  },
                  p, p);
}

ROW_TEST(popc, "counts set bits") {
  const auto count = [](auto a) {
    U32 n = 0;
    for (; a != 0; a &= a - 1) ++n;
    return n;
  };
  expect<U32>("popc.b32 %d, %a;", count, edges<U32>());
  expect<U32>("popc.b64 %d, %a;", count, edges<U64>());
}

ROW_TEST(clz, "counts leading zeros, the width for zero") {
  const auto count = [](auto a) {
    U32 n = 0;
    for (int bit = 8 * sizeof(a) - 1; bit >= 0 && (a >> bit & 1) == 0; --bit) ++n;
    return n;
  };
  expect<U32>("clz.b32 %d, %a;", count, edges<U32>());
  expect<U32>("clz.b64 %d, %a;", count, edges<U64>());
}

ROW_TEST(bfind, "finds the highest bit that is not sign, or all ones") {
  const auto test = []<class T>() {
    const auto find = [](T a) {
      constexpr int kBits = 8 * sizeof(T);
      const bool sign = std::is_signed_v<T> && a < 0;
      for (int bit = kBits - 1; bit >= 0; --bit)
        if ((static_cast<U64>(static_cast<std::make_unsigned_t<T>>(a)) >> bit & 1) != (sign ? 1u : 0u)) return static_cast<U32>(bit);
      return ~0u;
    };
    const std::string t = type_name<T>();
    expect<U32>("bfind." + t + " %d, %a;", find, edges<T>());
    expect<U32>("bfind.shiftamt." + t + " %d, %a;",
                [&](T a) { return find(a) == ~0u ? ~0u : 8 * U32{sizeof(T)} - 1 - find(a); }, edges<T>());
  };
  test.operator()<U32>();
  test.operator()<I32>();
  test.operator()<U64>();
  test.operator()<I64>();
}

ROW_TEST(fns, "finds the n-th set bit from a base upwards or downwards") {
  const auto find = [](U32 mask, U32 base, I32 n) -> U32 {
    int left = n < 0 ? -n : n;
    if (n == 0) return (mask >> base & 1) ? base : ~0u;
    for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += n > 0 ? 1 : -1)
      if ((mask >> bit & 1) && --left == 0) return static_cast<U32>(bit);
    return ~0u;
  };
  expect_all<U32>("fns.b32 %d, %a, %b, %c;", find, edges<U32>(), std::vector<U32>{0, 1, 5, 16, 30, 31},
                  std::vector<I32>{0, 1, 2, 3, 7, 31, 32, 33, -1, -2, -5, -32});
}

ROW_TEST(brev, "reverses the bits") {
  const auto reverse = [](auto a) {
    decltype(a) r = 0;
    for (std::size_t i = 0; i < 8 * sizeof(a); ++i) r |= (a >> i & 1) << (8 * sizeof(a) - 1 - i);
    return r;
  };
  expect<U32>("brev.b32 %d, %a;", reverse, edges<U32>());
  expect<U64>("brev.b64 %d, %a;", reverse, edges<U64>());
}

// The manual's pseudo-code: the bit above the field's end, or above the top, fills what is left.
ROW_TEST(bfe, "extracts a field; a signed one is filled with its top bit, past the end with the sign of a") {
  const auto test = []<class T>() {
    constexpr U32 kTop = 8 * sizeof(T) - 1;
    const auto extract = [](T a, U32 pos, U32 len) {
      const auto u = static_cast<std::make_unsigned_t<T>>(a);
      const U32 last = std::min(pos + len - 1, U32{kTop});
      const bool fill = std::is_signed_v<T> && len != 0 && (u >> last & 1) != 0;
      std::make_unsigned_t<T> d = 0;
      for (U32 i = 0; i <= kTop; ++i) {
        const bool inside = i < len && pos + i <= kTop;
        const bool bit = inside ? (u >> (pos + i) & 1) != 0 : fill;
        d |= static_cast<std::make_unsigned_t<T>>(bit) << i;
      }
      return static_cast<T>(d);
    };
    expect_all<T>("bfe." + type_name<T>() + " %d, %a, %b, %c;", extract, edges<T>(8),
                  std::vector<U32>{0, 1, 7, 16, 31, 32, 33, 63, 64, 200}, std::vector<U32>{0, 1, 5, 16, 31, 32, 33, 63, 64, 200});
  };
  test.operator()<U32>();
  test.operator()<I32>();
  test.operator()<U64>();
  test.operator()<I64>();
  // Position and length are taken modulo 256.
  expect<U32>("bfe.u32 %d, %a, 260, 264;", [](U32 a) { return a >> 4 & 0xff; }, edges<U32>());
}

ROW_TEST(bfi, "inserts the low bits of a into b, cut off at the top") {
  const auto test = []<class T>(const std::string& name) {
    constexpr U32 kBits = 8 * sizeof(T);
    const auto insert = [](T a, T b, U32 pos, U32 len) {
      T d = b;
      for (U32 i = 0; i < len && pos + i < kBits; ++i) {
        d &= ~(T{1} << (pos + i));
        d |= (i < kBits ? a >> i & 1 : 0) << (pos + i);
      }
      return d;
    };
    for (U32 len : {0u, 1u, 5u, 16u, 31u, 32u, 64u, 255u})
      expect_all<T>("bfi." + name + " %d, %a, %b, %c, " + std::to_string(len) + ";",
                    [&](T a, T b, U32 pos) { return insert(a, b, pos, len); }, edges<T>(4), edges<T>(4),
                    std::vector<U32>{0, 1, 7, 31, 32, 63, 64});
  };
  test.operator()<U32>("b32");
  test.operator()<U64>("b64");
}

ROW_TEST(szext, "extends from n bits; .clamp stops at 32, .wrap counts modulo 32") {
  const std::vector<U32> n{0, 1, 5, 8, 31, 32, 33, 40, 255, ~0u};
  const auto extend = [](U32 a, U32 bits, bool sign) -> U32 {
    if (bits == 0) return 0;
    if (bits >= 32) return a;
    const U32 kept = a & ((1u << bits) - 1);
    return sign && (a >> (bits - 1) & 1) ? kept | ~((1u << bits) - 1) : kept;
  };
  for (const bool sign : {false, true}) {
    const std::string t = sign ? ".s32" : ".u32";
    expect_all<U32>("szext.clamp" + t + " %d, %a, %b;", [&](U32 a, U32 b) { return extend(a, std::min(b, 32u), sign); },
                    edges<U32>(), n);
    expect_all<U32>("szext.wrap" + t + " %d, %a, %b;", [&](U32 a, U32 b) { return extend(a, b & 31, sign); },
                    edges<U32>(), n);
  }
}

ROW_TEST(bmsk, "sets b bits from bit a; .clamp limits, .wrap counts modulo 32") {
  const auto mask = [](U32 from, U32 n) {
    U32 d = 0;
    for (U64 i = from; i < U64{from} + n && i < 32; ++i) d |= 1u << i;
    return d;
  };
  const std::vector<U32> v{0, 1, 5, 16, 31, 32, 33, 100, ~0u};
  expect_all<U32>("bmsk.clamp.b32 %d, %a, %b;", mask, v, v);
  expect_all<U32>("bmsk.wrap.b32 %d, %a, %b;", [&](U32 a, U32 b) { return mask(a & 31, b & 31); }, v, v);
}

namespace {
I64 byte_of(U32 word, int i, bool sign) {
  const auto b = static_cast<std::uint8_t>(word >> (8 * i));
  return sign ? static_cast<std::int8_t>(b) : b;
}
}  // namespace

ROW_TEST(dp4a, "adds four byte products to c, each side with its own sign") {
  const auto v = packed_edges();
  for (const bool sa : {false, true})
    for (const bool sb : {false, true})
      expect_all<U32>(std::string("dp4a") + (sa ? ".s32" : ".u32") + (sb ? ".s32" : ".u32") + " %d, %a, %b, %c;",
                      [&](U32 a, U32 b, U32 c) {
                        I64 sum = c;
                        for (int i = 0; i < 4; ++i) sum += byte_of(a, i, sa) * byte_of(b, i, sb);
                        return static_cast<U32>(sum);
                      },
                      v, edges<U32>(), std::vector<U32>{0, 1, 0x7fffffff, 0xffffffff});
}

ROW_TEST(dp2a, "adds two half-word by byte products to c") {
  const auto v = packed_edges();
  for (const bool hi : {false, true})
    for (const bool sa : {false, true})
      for (const bool sb : {false, true})
        expect_all<U32>(std::string("dp2a") + (hi ? ".hi" : ".lo") + (sa ? ".s32" : ".u32") + (sb ? ".s32" : ".u32") + " %d, %a, %b, %c;",
                        [&](U32 a, U32 b, U32 c) {
                          I64 sum = c;
                          for (int i = 0; i < 2; ++i) {
                            const auto half = static_cast<U16>(a >> (16 * i));
                            sum += (sa ? static_cast<I16>(half) : I64{half}) * byte_of(b, hi ? i + 2 : i, sb);
                          }
                          return static_cast<U32>(sum);
                        },
                        v, edges<U32>(), std::vector<U32>{0, 0xfffffff0});
}

namespace {
// The manual's vabsdiff on parts of `bits` bits without selectors.
template <int kBits>
U32 absdiff(U32 a, U32 b, U32 c, bool sa, bool sb, bool sd, bool sat, bool add) {
  const auto part = [](U32 w, int at, bool sign) {
    I64 x = w >> at & ((1u << kBits) - 1);
    return sign && x >= I64{1} << (kBits - 1) ? x - (I64{1} << kBits) : x;
  };
  U32 d = 0;
  for (int at = 0; at < 32; at += kBits) {
    I64 t = std::llabs(part(a, at, sa) - part(b, at, sb));
    if (add) c += static_cast<U32>(t);
    if (sat) t = std::min(t, (I64{1} << (sd ? kBits - 1 : kBits)) - 1);
    d |= (static_cast<U32>(t) & ((1u << kBits) - 1)) << at;
  }
  return add ? c : d;
}
template <int kBits>
void test_absdiff(const std::string& mnemonic) {
  const auto v = packed_edges();
  for (const bool sd : {false, true})
    for (const bool sa : {false, true})
      for (const bool sb : {false, true})
        for (const char* mod : {"", ".sat", ".add"}) {
          const std::string m(mod);
          const std::string text = mnemonic + (sd ? ".s32" : ".u32") + (sa ? ".s32" : ".u32") + (sb ? ".s32" : ".u32") + m +
                                   " %d, %a, %b, %c;";
          expect_all<U32>(text,
                          [&](U32 a, U32 b, U32 c) {
                            return absdiff<kBits>(a, b, c, sa, sb, sd, m == ".sat", m == ".add");
                          },
                          edges<U32>(), v, std::vector<U32>{0, 0xffffffff});
        }
}
}  // namespace

ROW_TEST(vabsdiff4, "takes absolute differences of bytes, or adds them to c") { test_absdiff<8>("vabsdiff4"); }
ROW_TEST(vabsdiff2, "takes absolute differences of half-words, or adds them to c") { test_absdiff<16>("vabsdiff2"); }

}  // namespace emu::tests
