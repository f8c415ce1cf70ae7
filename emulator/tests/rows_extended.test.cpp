// SPDX-License-Identifier: MIT
// Extended precision (PTX 9.7.2): chains of instructions that pass the carry of each lane on,
// against 128- and 256-bit sums.
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
__extension__ using UWide = unsigned __int128;
__extension__ using Wide = __int128;

// Pairs of words such that carries happen and do not.
template <class T>
std::vector<T> words() {
  return edges<T>(6);
}

// op1 on the low words, then op2 without and with .cc on the high ones; the last of three addc
// shows the final carry. Returns {low, middle, high} of a three-word sum of (a1:a0) and (b1:b0).
template <class T>
void test_chain(const std::string& type, bool subtract) {
  const std::string first = subtract ? "sub.cc." : "add.cc.", next = subtract ? "subc" : "addc";
  const auto v = words<T>();
  const auto [a, b] = cross(v, v);
  std::vector<T> a1(a.size()), b1(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    a1[i] = v[(i * 7 + 3) % v.size()], b1[i] = v[(i * 5 + 1) % v.size()];
  const std::string chain =
      first + type + " %d, %a, %b;\n" + next + ".cc." + type + " %q, %c, %e;\n";
  const auto [low, middle] = lanes2<T, T>(chain, a, b, a1, b1);
  const auto top = lanes<T>(first + type + " %d, %a, %b; " + next + ".cc." + type +
                                " %d, %c, %e; " + next + "." + type + " %d, 0, 0;",
                            a, b, a1, b1);
  std::vector<T> want_low, want_middle, want_top;
  for (std::size_t i = 0; i < a.size(); ++i) {
    constexpr int kBits = 8 * sizeof(T);
    const UWide x0 = a[i], y0 = b[i], x1 = a1[i], y1 = b1[i];
    const UWide s0 = subtract ? x0 - y0 : x0 + y0;
    const UWide carry0 = subtract ? UWide{x0 < y0} : s0 >> kBits;
    const UWide s1 = subtract ? x1 - y1 - carry0 : x1 + y1 + carry0;
    const UWide carry1 = subtract ? UWide{x1 < y1 + carry0} : s1 >> kBits;
    want_low.push_back(static_cast<T>(s0));
    want_middle.push_back(static_cast<T>(s1));
    want_top.push_back(
        static_cast<T>(subtract ? T(0) - static_cast<T>(carry1) : static_cast<T>(carry1)));
  }
  same(chain + "low", low, want_low, a, b);
  same(chain + "middle", middle, want_middle, a, b, a1, b1);
  same(chain + "carry", top, want_top, a, b, a1, b1);
}

void test_all_types(bool subtract) {
  test_chain<U32>("u32", subtract);
  test_chain<U32>("s32", subtract);
  test_chain<U64>("u64", subtract);
  test_chain<U64>("s64", subtract);
}

template <class T>
T high_half(T a, T b, bool sign) {
  constexpr int kBits = 8 * sizeof(T);
  using S = std::make_signed_t<T>;
  if (sign) return static_cast<T>(Wide(static_cast<S>(a)) * static_cast<S>(b) >> kBits);
  return static_cast<T>(UWide(a) * b >> kBits);
}

// mad.lo.cc, madc.hi.cc and madc.hi: the carries of product halves.
template <class T>
void test_mad(const std::string& type, bool sign) {
  const auto v = edges<T>(3);
  const auto [a, b, c] = cross(v, v, v);
  for (const std::string half : {"lo", "hi"}) {
    const auto part = [&half, sign, &a = a, &b = b](std::size_t i) {
      return half == "lo" ? static_cast<T>(a[i] * b[i]) : high_half(a[i], b[i], sign);
    };
    const std::string text =
        "mad." + half + ".cc." + type + " %d, %a, %b, %c;\naddc." + type + " %q, 0, 0;";
    const auto [d, carry] = lanes2<T, T>(text, a, b, c);
    // A carry goes in that the first instruction makes, and one comes out.
    const std::string madc = "add.cc." + type + " %d, %c, %c;\nmadc." + half + ".cc." + type +
                             " %d, %a, %b, %c;\naddc." + type + " %q, 0, 0;";
    const auto [e, carry2] = lanes2<T, T>(madc, a, b, c);
    const std::string last =
        "add.cc." + type + " %d, %c, %c;\nmadc." + half + "." + type + " %d, %a, %b, %c;";
    const auto f = lanes<T>(last, a, b, c);
    std::vector<T> want_d, want_carry, want_e, want_carry2;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const UWide in = (UWide(c[i]) + c[i]) >> (8 * sizeof(T));
      const UWide s = UWide(part(i)) + c[i];
      want_d.push_back(static_cast<T>(s));
      want_carry.push_back(static_cast<T>(s >> (8 * sizeof(T))));
      want_e.push_back(static_cast<T>(s + in));
      want_carry2.push_back(static_cast<T>((s + in) >> (8 * sizeof(T))));
    }
    same(text, d, want_d, a, b, c);
    same(text + " carry", carry, want_carry, a, b, c);
    same(madc, e, want_e, a, b, c);
    same(madc + " carry", carry2, want_carry2, a, b, c);
    same(last, f, want_e, a, b, c);
  }
}

void test_all_mads() {
  test_mad<U32>("u32", false);
  test_mad<U32>("s32", true);
  test_mad<U64>("u64", false);
  test_mad<U64>("s64", true);
}

}  // namespace

ROW_TEST(add_cc, "writes the carry of each lane") { test_all_types(false); }
ROW_TEST(addc, "adds the carry; without .cc it keeps it") {
  test_all_types(false);
  // The second addc still sees the first carry: addc without .cc does not change it.
  const std::vector<U32> a{0, 0xffffffff, 5}, b{0, 1, 6};
  const auto d = lanes<U32>("add.cc.u32 %d, %a, %b; addc.u32 %d, 0, 0; addc.u32 %d, 10, 0;", a, b);
  CHECK(d == std::vector<U32>{10, 11, 10});
}
ROW_TEST(sub_cc, "writes the borrow of each lane") { test_all_types(true); }
ROW_TEST(subc, "subtracts the borrow") { test_all_types(true); }
ROW_TEST(mad_cc, "writes the carry of product half + c") { test_all_mads(); }
ROW_TEST(madc, "adds the carry to product half + c") { test_all_mads(); }

}  // namespace emu::tests
