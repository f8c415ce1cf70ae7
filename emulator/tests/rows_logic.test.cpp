// SPDX-License-Identifier: MIT
// Logic, shifts (PTX 9.7.8) and byte permutes.
#include <algorithm>

#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

template <class F>
void test_logic(const std::string& op, F&& f) {
  expect_all<U16>(
      op + ".b16 %d, %a, %b;", [&](U16 a, U16 b) { return static_cast<U16>(f(U64{a}, U64{b})); },
      edges<U16>(), edges<U16>());
  expect_all<U32>(
      op + ".b32 %d, %a, %b;", [&](U32 a, U32 b) { return static_cast<U32>(f(U64{a}, U64{b})); },
      edges<U32>(), edges<U32>());
  expect_all<U64>(
      op + ".b64 %d, %a, %b;", [&](U64 a, U64 b) { return f(a, b); }, edges<U64>(), edges<U64>());
  const std::vector<bool> p{false, false, true, true}, q{false, true, false, true};
  expect<bool>(
      op + ".pred %d, %a, %b;", [&](bool a, bool b) { return (f(U64{a}, U64{b}) & 1) != 0; }, p, q);
  expect<bool>(
      op + ".pred %d, !%a, %b;", [&](bool a, bool b) { return (f(U64{!a}, U64{b}) & 1) != 0; }, p,
      q);
  expect<U32>(
      op + ".b32 %d, %a, 0xff00ff00;",
      [&](U32 a) { return static_cast<U32>(f(U64{a}, 0xff00ff00u)); }, edges<U32>());
}

}  // namespace

ROW_TEST(and_, "is bitwise and") {
  test_logic("and", [](U64 a, U64 b) { return a & b; });
}
ROW_TEST(or_, "is bitwise or") {
  test_logic("or", [](U64 a, U64 b) { return a | b; });
}
ROW_TEST(xor_, "is bitwise exclusive or") {
  test_logic("xor", [](U64 a, U64 b) { return a ^ b; });
}

ROW_TEST(not_, "turns every bit") {
  expect<U16>(
      "not.b16 %d, %a;", [](U16 a) { return static_cast<U16>(~a); }, edges<U16>());
  expect<U32>(
      "not.b32 %d, %a;", [](U32 a) { return ~a; }, edges<U32>());
  expect<U64>(
      "not.b64 %d, %a;", [](U64 a) { return ~a; }, edges<U64>());
  expect<bool>(
      "not.pred %d, %a;", [](bool a) { return !a; }, std::vector<bool>{false, true});
}

ROW_TEST(cnot, "is 1 for zero, else 0") {
  expect<U16>(
      "cnot.b16 %d, %a;", [](U16 a) { return static_cast<U16>(a == 0); }, edges<U16>());
  expect<U32>(
      "cnot.b32 %d, %a;", [](U32 a) { return U32{a == 0}; }, edges<U32>());
  expect<U64>(
      "cnot.b64 %d, %a;", [](U64 a) { return U64{a == 0}; }, edges<U64>());
}

ROW_TEST(lop3, "looks each bit up in its table; d|p combines d != 0 with q") {
  const auto v = edges<U32>(2);
  const auto [a, b, c] = cross(v, v, v);
  const auto look = [](U32 x, U32 y, U32 z, U32 table) {
    U32 d = 0;
    for (int i = 0; i < 32; ++i)
      d |= (table >> ((x >> i & 1) << 2 | (y >> i & 1) << 1 | (z >> i & 1)) & 1) << i;
    return d;
  };
  for (U32 table : {0x00u, 0xffu, 0x80u, 0xfeu, 0x96u, 0xcau, 0x1du, 0xe8u, 0x3cu, 0x5au})
    expect<U32>(
        "lop3.b32 %d, %a, %b, %c, " + std::to_string(table) + ";",
        [&](U32 x, U32 y, U32 z) { return look(x, y, z, table); }, a, b, c);
  std::vector<bool> q;
  for (std::size_t i = 0; i < a.size(); ++i) q.push_back(i % 2 == 0);
  for (const bool both : {true, false}) {
    const std::string text =
        std::string("lop3.") + (both ? "and" : "or") + ".b32 %d|%q, %a, %b, %c, 0x80, %e;";
    const auto [d, p] = lanes2<U32, bool>(text, a, b, c, q);
    std::vector<U32> want_d;
    std::vector<bool> want_p;
    for (std::size_t i = 0; i < a.size(); ++i) {
      want_d.push_back(a[i] & b[i] & c[i]);
      want_p.push_back(both ? want_d[i] != 0 && q[i] : want_d[i] != 0 || q[i]);
    }
    same(text, d, want_d, a, b, c);
    same(text, p, want_p, a, b, c);
  }
}

ROW_TEST(shf, "shifts the pair b:a; .clamp stops at 32, .wrap counts modulo 32") {
  const std::vector<U32> n{0, 1, 7, 16, 31, 32, 33, 63, 64, ~0u};
  for (const bool wrap : {false, true})
    for (const bool left : {false, true})
      expect_all<U32>(
          std::string("shf") + (left ? ".l" : ".r") + (wrap ? ".wrap" : ".clamp") +
              ".b32 %d, %a, %b, %c;",
          [&](U32 a, U32 b, U32 c) {
            const U32 by = wrap ? c & 31 : std::min(c, 32u);
            if (left) return by == 0 ? b : by == 32 ? a : b << by | a >> (32 - by);
            return by == 0 ? a : by == 32 ? b : a >> by | b << (32 - by);
          },
          edges<U32>(4), edges<U32>(4), n);
}

namespace {
const std::vector<U32> kAmounts{0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 0x80000000u, ~0u};
}

ROW_TEST(shl, "gives zero past the width") {
  const auto shift = [](auto a, U32 n) {
    return n >= 8 * sizeof(a) ? decltype(a){0} : static_cast<decltype(a)>(static_cast<U64>(a) << n);
  };
  expect_all<U16>("shl.b16 %d, %a, %b;", shift, edges<U16>(), kAmounts);
  expect_all<U32>("shl.b32 %d, %a, %b;", shift, edges<U32>(), kAmounts);
  expect_all<U64>("shl.b64 %d, %a, %b;", shift, edges<U64>(), kAmounts);
  for (U32 n : {0u, 5u, 31u, 32u, 64u})
    expect<U32>(
        "shl.b32 %d, %a, " + std::to_string(n) + ";", [&](U32 a) { return shift(a, n); },
        edges<U32>());
}

ROW_TEST(shr, "fills with the sign of a signed type, else with zeros") {
  const auto test = []<class T>(const std::string& type) {
    constexpr int kBits = 8 * sizeof(T);
    const auto shift = [](T a, U32 n) {
      if (n >= kBits) return static_cast<T>(a < 0 ? -1 : 0);
      return static_cast<T>(a >> n);
    };
    expect_all<T>("shr." + type + " %d, %a, %b;", shift, edges<T>(), kAmounts);
    for (U32 n : {0u, 5u, 15u, 31u, 32u, 64u})
      expect<T>(
          "shr." + type + " %d, %a, " + std::to_string(n) + ";", [&](T a) { return shift(a, n); },
          edges<T>());
  };
  for (const char* t : {"b16", "u16"}) test.operator()<U16>(t);
  for (const char* t : {"b32", "u32"}) test.operator()<U32>(t);
  for (const char* t : {"b64", "u64"}) test.operator()<U64>(t);
  test.operator()<std::int16_t>("s16");
  test.operator()<std::int32_t>("s32");
  test.operator()<std::int64_t>("s64");
}

// The tables of the manual: which byte of b:a (7..0) stands in d.b3 .. d.b0 for c & 3 = 0, 1, 2, 3.
ROW_TEST(prmt,
         "picks any four bytes of eight, or their signs; the modes follow the manual's tables") {
  const auto byte = [](U32 a, U32 b, U32 k) { return (k & 4 ? b : a) >> (8 * (k & 3)) & 0xff; };
  const auto pick = [&](U32 a, U32 b, U32 sel) {
    U32 d = 0;
    for (int i = 0; i < 4; ++i) {
      const U32 nibble = sel >> (4 * i) & 15, x = byte(a, b, nibble & 7);
      d |= (nibble & 8 ? (x & 0x80 ? 0xffu : 0u) : x) << (8 * i);
    }
    return d;
  };
  const std::vector<U32> words{0, ~0u, 0x80402010, 0x7f8081fe, 0x03020100, 0x07060504},
      selectors{0x3210, 0x7654, 0x0123, 0x8f9a, 0x4440, 0xffff, 0x12345678};
  expect_all<U32>("prmt.b32 %d, %a, %b, %c;", pick, words, words, selectors);
  for (U32 s : selectors) {
    const auto [a, b] = cross(words, words);
    expect<U32>(
        "prmt.b32 %d, %a, %b, " + std::to_string(s) + ";",
        [&](U32 x, U32 y) { return pick(x, y, s); }, a, b);
  }
  struct Form {
    const char* name;
    U32 selector[4];
  };
  for (const Form& f : {Form{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
                        Form{"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
                        Form{"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
                        Form{"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
                        Form{"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
                        Form{"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}})
    expect_all<U32>(
        "prmt.b32." + std::string(f.name) + " %d, %a, %b, %c;",
        [&](U32 a, U32 b, U32 c) { return pick(a, b, f.selector[c & 3]); }, words, words,
        std::vector<U32>{0, 1, 2, 3, 6});
}

}  // namespace emu::tests
