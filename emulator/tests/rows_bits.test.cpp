// SPDX-License-Identifier: MIT
// Instructions that count, find and move bits (PTX 9.7.1, second half), and the video instructions,
// executed as PTX.
#include <algorithm>
#include <cstdlib>

#include "tests/integers.hpp"

namespace emu::tests {
namespace {

using I32 = std::int32_t;
using U32 = std::uint32_t;
using I64 = std::int64_t;
using U64 = std::uint64_t;

}  // namespace

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
        if ((static_cast<U64>(static_cast<std::make_unsigned_t<T>>(a)) >> bit & 1) !=
            (sign ? 1u : 0u))
          return static_cast<U32>(bit);
      return ~0u;
    };
    const std::string t = type_name<T>();
    expect<U32>("bfind." + t + " %d, %a;", find, edges<T>());
    expect<U32>(
        "bfind.shiftamt." + t + " %d, %a;",
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
    for (int bit = static_cast<int>(base); bit >= 0 && bit<32; bit += n> 0 ? 1 : -1)
      if ((mask >> bit & 1) && --left == 0) return static_cast<U32>(bit);
    return ~0u;
  };
  expect_all<U32>("fns.b32 %d, %a, %b, %c;", find, edges<U32>(),
                  std::vector<U32>{0, 1, 5, 16, 30, 31},
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
ROW_TEST(
    bfe,
    "extracts a field; a signed one is filled with its top bit, past the end with the sign of a") {
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
                  std::vector<U32>{0, 1, 7, 16, 31, 32, 33, 63, 64, 200},
                  std::vector<U32>{0, 1, 5, 16, 31, 32, 33, 63, 64, 200});
  };
  test.operator()<U32>();
  test.operator()<I32>();
  test.operator()<U64>();
  test.operator()<I64>();
  // Position and length are taken modulo 256.
  expect<U32>(
      "bfe.u32 %d, %a, 260, 264;", [](U32 a) { return a >> 4 & 0xff; }, edges<U32>());
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
      expect_all<T>(
          "bfi." + name + " %d, %a, %b, %c, " + std::to_string(len) + ";",
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
    expect_all<U32>(
        "szext.clamp" + t + " %d, %a, %b;",
        [&](U32 a, U32 b) { return extend(a, std::min(b, 32u), sign); }, edges<U32>(), n);
    expect_all<U32>(
        "szext.wrap" + t + " %d, %a, %b;", [&](U32 a, U32 b) { return extend(a, b & 31, sign); },
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
  expect_all<U32>(
      "bmsk.wrap.b32 %d, %a, %b;", [&](U32 a, U32 b) { return mask(a & 31, b & 31); }, v, v);
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
          const std::string text = mnemonic + (sd ? ".s32" : ".u32") + (sa ? ".s32" : ".u32") +
                                   (sb ? ".s32" : ".u32") + m + " %d, %a, %b, %c;";
          expect_all<U32>(
              text,
              [&](U32 a, U32 b, U32 c) {
                return absdiff<kBits>(a, b, c, sa, sb, sd, m == ".sat", m == ".add");
              },
              edges<U32>(), v, std::vector<U32>{0, 0xffffffff});
        }
}
}  // namespace

ROW_TEST(vabsdiff4, "takes absolute differences of bytes, or adds them to c") {
  test_absdiff<8>("vabsdiff4");
}
ROW_TEST(vabsdiff2, "takes absolute differences of half-words, or adds them to c") {
  test_absdiff<16>("vabsdiff2");
}

}  // namespace emu::tests
