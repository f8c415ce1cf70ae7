// SPDX-License-Identifier: MIT
// Integer arithmetic (PTX 9.7.1) executed as PTX. Expected values are
// worked out in 128-bit arithmetic from the wording of the manual.
#include <algorithm>

#include "tests/integers.hpp"

namespace emu::tests {
namespace {

using I16 = std::int16_t;
using U16 = std::uint16_t;
using I32 = std::int32_t;
using U32 = std::uint32_t;
using I64 = std::int64_t;
using U64 = std::uint64_t;
__extension__ using Wide = __int128;
__extension__ using UWide = unsigned __int128;

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
// The lower half of a product: two 64-bit numbers without sign do not fit Wide, but the bits do.
template <class T>
T low_product(T a, T b) {
  return static_cast<T>(static_cast<UWide>(Wide(a)) * static_cast<UWide>(Wide(b)));
}
// The upper half of a product, exactly: 64 x 64 bits fit 128 in either sign.
template <class T>
T high(T a, T b) {
  if constexpr (std::is_same_v<T, U64>) {
    return static_cast<T>(static_cast<UWide>(a) * b >> 64);
  } else {
    return static_cast<T>(static_cast<Wide>(a) * b >> (8 * sizeof(T)));
  }
}
I32 clamp32(Wide x) {
  return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : static_cast<I32>(x);
}

// op on both 16-bit halves.
template <class H, class F>
U32 halves(U32 a, U32 b, F&& op) {
  const auto lo = static_cast<U16>(op(static_cast<H>(a), static_cast<H>(b)));
  const auto hi = static_cast<U16>(op(static_cast<H>(a >> 16), static_cast<H>(b >> 16)));
  return lo | static_cast<U32>(hi) << 16;
}

}  // namespace

ROW_TEST(add_int, "wraps in every width; .sat.s32 clamps; 16x2 halves do not carry") {
  for_all([]<class T>() {
    expect_all<T>(
        "add." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return low<T>(Wide(a) + b); },
        edges<T>(), edges<T>());
  });
  expect_all<I32>(
      "add.sat.s32 %d, %a, %b;", [](I32 a, I32 b) { return clamp32(Wide(a) + b); }, edges<I32>(),
      edges<I32>());
  for (const char* t : {"u16x2", "s16x2"})
    expect_all<U32>(
        std::string("add.") + t + " %d, %a, %b;",
        [](U32 a, U32 b) { return halves<U16>(a, b, [](int x, int y) { return x + y; }); },
        packed_edges(), packed_edges());
  // Immediates: sign-extended to the width.
  expect<I64>(
      "add.s64 %d, %a, -3;", [](I64 a) { return low<I64>(Wide(a) - 3); }, edges<I64>());
}

ROW_TEST(sub_int, "wraps in every width; .sat.s32 clamps") {
  for_all([]<class T>() {
    expect_all<T>(
        "sub." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return low<T>(Wide(a) - b); },
        edges<T>(), edges<T>());
  });
  expect_all<I32>(
      "sub.sat.s32 %d, %a, %b;", [](I32 a, I32 b) { return clamp32(Wide(a) - b); }, edges<I32>(),
      edges<I32>());
}

ROW_TEST(mul_int, "gives the low, the high and the whole product") {
  for_all([]<class T>() {
    expect_all<T>(
        "mul.lo." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return low_product(a, b); },
        edges<T>(), edges<T>());
    expect_all<T>(
        "mul.hi." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return high(a, b); },
        edges<T>(), edges<T>());
  });
  expect_all<U32>(
      "mul.wide.u16 %d, %a, %b;", [](U16 a, U16 b) { return U32{a} * b; }, edges<U16>(),
      edges<U16>());
  expect_all<I32>(
      "mul.wide.s16 %d, %a, %b;", [](I16 a, I16 b) { return I32{a} * b; }, edges<I16>(),
      edges<I16>());
  expect_all<U64>(
      "mul.wide.u32 %d, %a, %b;", [](U32 a, U32 b) { return U64{a} * b; }, edges<U32>(),
      edges<U32>());
  expect_all<I64>(
      "mul.wide.s32 %d, %a, %b;", [](I32 a, I32 b) { return I64{a} * b; }, edges<I32>(),
      edges<I32>());
}

ROW_TEST(mad_int, "adds c to the low, the high or the whole product; .hi.sat.s32 clamps the sum") {
  for_all([]<class T>() {
    const auto few = edges<T>(2);
    expect_all<T>(
        "mad.lo." + type_name<T>() + " %d, %a, %b, %c;",
        [](T a, T b, T c) { return low<T>(low_product(a, b) + Wide(c)); }, few, few, edges<T>(1));
    expect_all<T>(
        "mad.hi." + type_name<T>() + " %d, %a, %b, %c;",
        [](T a, T b, T c) { return low<T>(Wide(high(a, b)) + c); }, few, few, edges<T>(1));
  });
  const auto s = edges<I32>(2);
  expect_all<I32>(
      "mad.hi.sat.s32 %d, %a, %b, %c;",
      [](I32 a, I32 b, I32 c) { return clamp32(Wide(high(a, b)) + c); }, s, s, s);
  expect_all<U32>(
      "mad.wide.u16 %d, %a, %b, %c;", [](U16 a, U16 b, U32 c) { return U32{a} * b + c; },
      edges<U16>(2), edges<U16>(2), edges<U32>(2));
  expect_all<I32>(
      "mad.wide.s16 %d, %a, %b, %c;", [](I16 a, I16 b, I32 c) { return low<I32>(Wide(a) * b + c); },
      edges<I16>(2), edges<I16>(2), s);
  expect_all<U64>(
      "mad.wide.u32 %d, %a, %b, %c;", [](U32 a, U32 b, U64 c) { return U64{a} * b + c; },
      edges<U32>(2), edges<U32>(2), edges<U64>(2));
  expect_all<I64>(
      "mad.wide.s32 %d, %a, %b, %c;", [](I32 a, I32 b, I64 c) { return low<I64>(Wide(a) * b + c); },
      s, s, edges<I64>(2));
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
  const auto u = edges<U32>(),
             v = std::vector<U32>{0, 1, 0x7fffff, 0x800000, 0xffffff, 0x1000001, 0xdeadbeef};
  std::vector<I32> s(edges<I32>());
  for (U32 x : v) s.push_back(static_cast<I32>(x));
  expect_all<U32>(
      "mul24.lo.u32 %d, %a, %b;", [](U32 a, U32 b) { return low<U32>(product24(a, b)); }, u, v);
  expect_all<U32>(
      "mul24.hi.u32 %d, %a, %b;", [](U32 a, U32 b) { return low<U32>(product24(a, b) >> 16); }, u,
      v);
  expect_all<I32>(
      "mul24.lo.s32 %d, %a, %b;", [](I32 a, I32 b) { return low<I32>(product24(a, b)); }, s, s);
  expect_all<I32>(
      "mul24.hi.s32 %d, %a, %b;", [](I32 a, I32 b) { return low<I32>(product24(a, b) >> 16); }, s,
      s);
}

ROW_TEST(mad24, "adds c to the product of 24-bit numbers; .hi.sat.s32 clamps") {
  const auto u = edges<U32>(2);
  const auto s = edges<I32>(2);
  expect_all<U32>(
      "mad24.lo.u32 %d, %a, %b, %c;",
      [](U32 a, U32 b, U32 c) { return low<U32>(product24(a, b) + c); }, u, u, u);
  expect_all<U32>(
      "mad24.hi.u32 %d, %a, %b, %c;",
      [](U32 a, U32 b, U32 c) { return low<U32>((product24(a, b) >> 16) + c); }, u, u, u);
  expect_all<I32>(
      "mad24.lo.s32 %d, %a, %b, %c;",
      [](I32 a, I32 b, I32 c) { return low<I32>(product24(a, b) + c); }, s, s, s);
  expect_all<I32>(
      "mad24.hi.s32 %d, %a, %b, %c;",
      [](I32 a, I32 b, I32 c) { return low<I32>((product24(a, b) >> 16) + c); }, s, s, s);
  expect_all<I32>(
      "mad24.hi.sat.s32 %d, %a, %b, %c;",
      [](I32 a, I32 b, I32 c) { return clamp32(Wide(low<I32>(product24(a, b) >> 16)) + c); }, s, s,
      s);
}

ROW_TEST(sad, "adds the absolute difference to c") {
  for_all([]<class T>() {
    const auto few = edges<T>(2);
    expect_all<T>(
        "sad." + type_name<T>() + " %d, %a, %b, %c;",
        [](T a, T b, T c) { return low<T>(Wide(c) + (a < b ? Wide(b) - a : Wide(a) - b)); }, few,
        few, few);
  });
}

// PTX leaves division by zero open; an H200 gives all ones, and the dividend as the remainder.
ROW_TEST(div_int, "truncates towards zero; by zero gives all ones") {
  for_all([]<class T>() {
    expect_all<T>(
        "div." + type_name<T>() + " %d, %a, %b;",
        [](T a, T b) { return b == 0 ? static_cast<T>(~T{0}) : low<T>(Wide(a) / b); }, edges<T>(),
        edges<T>());
  });
}

ROW_TEST(rem_int, "has the sign of the dividend") {
  for_all([]<class T>() {
    std::vector<T> divisors;
    for (T b : edges<T>())
      if (b != 0) divisors.push_back(b);
    expect_all<T>(
        "rem." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return low<T>(Wide(a) % b); },
        edges<T>(), divisors);
  });
}

ROW_TEST(abs_int, "wraps at the minimum") {
  const auto test = []<class T>() {
    expect<T>(
        "abs." + type_name<T>() + " %d, %a;",
        [](T a) { return low<T>(a < 0 ? -Wide(a) : Wide(a)); }, edges<T>());
  };
  test.operator()<I16>();
  test.operator()<I32>();
  test.operator()<I64>();
}

ROW_TEST(neg_int, "wraps at the minimum") {
  const auto test = []<class T>() {
    expect<T>(
        "neg." + type_name<T>() + " %d, %a;", [](T a) { return low<T>(-Wide(a)); }, edges<T>());
  };
  test.operator()<I16>();
  test.operator()<I32>();
  test.operator()<I64>();
}

ROW_TEST(min_int, "takes the smaller by sign; .relu lifts to zero; halves apart") {
  for_all([]<class T>() {
    expect_all<T>(
        "min." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return a < b ? a : b; },
        edges<T>(), edges<T>());
  });
  expect_all<I32>(
      "min.relu.s32 %d, %a, %b;", [](I32 a, I32 b) { return std::max(std::min(a, b), 0); },
      edges<I32>(), edges<I32>());
  const auto p = packed_edges();
  expect_all<U32>(
      "min.u16x2 %d, %a, %b;",
      [](U32 a, U32 b) { return halves<U16>(a, b, [](U16 x, U16 y) { return std::min(x, y); }); },
      p, p);
  expect_all<U32>(
      "min.s16x2 %d, %a, %b;",
      [](U32 a, U32 b) { return halves<I16>(a, b, [](I16 x, I16 y) { return std::min(x, y); }); },
      p, p);
  expect_all<U32>(
      "min.relu.s16x2 %d, %a, %b;",
      [](U32 a, U32 b) {
        return halves<I16>(a, b, [](I16 x, I16 y) { return std::max<I16>(std::min(x, y), 0); });
      },
      p, p);
}

ROW_TEST(max_int, "takes the larger by sign; .relu lifts to zero; halves apart") {
  for_all([]<class T>() {
    expect_all<T>(
        "max." + type_name<T>() + " %d, %a, %b;", [](T a, T b) { return a > b ? a : b; },
        edges<T>(), edges<T>());
  });
  expect_all<I32>(
      "max.relu.s32 %d, %a, %b;", [](I32 a, I32 b) { return std::max(std::max(a, b), 0); },
      edges<I32>(), edges<I32>());
  const auto p = packed_edges();
  expect_all<U32>(
      "max.u16x2 %d, %a, %b;",
      [](U32 a, U32 b) { return halves<U16>(a, b, [](U16 x, U16 y) { return std::max(x, y); }); },
      p, p);
  expect_all<U32>(
      "max.s16x2 %d, %a, %b;",
      [](U32 a, U32 b) { return halves<I16>(a, b, [](I16 x, I16 y) { return std::max(x, y); }); },
      p, p);
  expect_all<U32>(
      "max.s16x2.relu %d, %a, %b;",
      [](U32 a, U32 b) {
        return halves<I16>(a, b, [](I16 x, I16 y) { return std::max<I16>(std::max(x, y), 0); });
      },
      p, p);
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
      expect_all<U32>(
          std::string("dp4a") + (sa ? ".s32" : ".u32") + (sb ? ".s32" : ".u32") +
              " %d, %a, %b, %c;",
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
        expect_all<U32>(
            std::string("dp2a") + (hi ? ".hi" : ".lo") + (sa ? ".s32" : ".u32") +
                (sb ? ".s32" : ".u32") + " %d, %a, %b, %c;",
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

}  // namespace emu::tests
