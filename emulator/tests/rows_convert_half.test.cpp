// SPDX-License-Identifier: MIT
// cvt to and from the formats of 16, 19 and 8 bits.
#include "tests/conversions.hpp"
#include "tests/integers.hpp"
#include "tests/numbers.hpp"

namespace emu::tests {
namespace {
std::vector<float> half_neighbourhood() {
  std::vector<float> v = float_edges();
  for (const HalfFormat& f : {kFp16, kBf16})
    for (const auto h : half_edges(f)) {
      const auto x = static_cast<float>(value_of(h, f));
      if (!std::isfinite(x)) continue;
      v.push_back(x);
      v.push_back(std::nextafter(x, INFINITY));
      v.push_back(f.brain ? f32((static_cast<U32>(h) << 16) + 0x8000)
                          : x * (1 + 0x1p-11f));  // a tie
      v.push_back(f.brain ? f32((static_cast<U32>(h) << 16) + 0x18000) : x * (1 + 0x1.8p-10f));
    }
  for (float x : {65504.0f, 65519.0f, 65520.0f, 65536.0f, 0x1p-25f, 0x1.8p-25f, 0x1p-24f, 0x1p-15f})
    v.push_back(x), v.push_back(-x);
  return v;
}
}  // namespace

ROW_TEST(cvt, "between f32 and the half formats rounds once; .relu and .satfinite") {
  for (const HalfFormat& f : {kFp16, kBf16}) {
    const std::string name = f.brain ? "bf16" : "f16";
    for (const auto& [mod, mode] : kRound) {
      if (f.brain && (mode == Mode::Down || mode == Mode::Up)) continue;
      const auto half = [&, m = mode](float x) { return to_half({x, 0}, f, m); };
      const std::string text = "cvt" + std::string(mod) + "." + name + ".f32 %d, %a;";
      expect<U16>(
          text, [&](float x) { return bits_of(half(x), f); }, half_neighbourhood());
      if (mode != Mode::Nearest && mode != Mode::Zero) continue;
      expect<U16>(
          "cvt" + std::string(mod) + ".relu." + name + ".f32 %d, %a;",
          [&](float x) {
            return std::isnan(x) ? U16{0x7fff} : bits_of(half(x) > 0 ? half(x) : 0.0, f);
          },
          half_neighbourhood());
      // Two at once: a in the upper half.
      const auto v = half_neighbourhood();
      std::vector<float> w(v.rbegin(), v.rend());
      expect<U32>(
          "cvt" + std::string(mod) + "." + name + "x2.f32 %d, %a, %b;",
          [&](float a, float b) {
            return static_cast<U32>(bits_of(half(a), f)) << 16 | bits_of(half(b), f);
          },
          v, w);
    }
    // Every half value comes back unchanged.
    std::vector<U16> all;
    for (U32 h = 0; h < 0x10000; h += 7)
      if (!std::isnan(value_of(static_cast<U16>(h), f))) all.push_back(static_cast<U16>(h));
    expect<float>(
        "cvt.f32." + name + " %d, %a;", [&](U16 h) { return static_cast<float>(value_of(h, f)); },
        all);
    if (!f.brain)
      expect<double>(
          "cvt.f64.f16 %d, %a;", [&](U16 h) { return value_of(h, f); }, all);
  }
}

ROW_TEST(cvt, "between f16 and what is not f32 rounds once") {
  expect<U16>(
      "cvt.rn.f16.f64 %d, %a;",
      [](double x) {
        return bits_of(to_half({x, 0}, kFp16), kFp16);
      },
      std::vector<double>{0, 1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-50, 65520, 65519.999, -0x1p-25,
                          -0x1.0000000001p-25, INFINITY});
  expect<U16>(
      "cvt.rn.f16.s32 %d, %a;",
      [](std::int32_t x) {
        return bits_of(to_half({double(x), 0}, kFp16), kFp16);
      },
      edges<std::int32_t>());
  expect<std::int32_t>(
      "cvt.rni.s32.f16 %d, %a;",
      [](U16 h) {
        const double x = value_of(h, kFp16);
        return std::isnan(x) ? 0 : clamp<std::int32_t>(to_wide(whole(x, Mode::Nearest)));
      },
      half_edges(kFp16));
  for (const auto& [mod, mode] : kToWhole)
    expect<U16>(
        "cvt" + std::string(mod) + ".f16.f16 %d, %a;",
        [m = mode](U16 h) {
          const double x = value_of(h, kFp16);
          return std::isfinite(x) ? bits_of(std::copysign(whole(x, m), x), kFp16)
                 : std::isnan(x)  ? U16{0x7fff}
                                  : h;
        },
        half_edges(kFp16));
}

ROW_TEST(cvt, "to tf32 rounds to 10 bits of fraction; .rna rounds ties away") {
  std::vector<float> v{
      0.0f,          -0.0f,    1.0f,   1 + 0x1p-11f, 1 + 0x1.8p-10f, 1 + 0x1p-11f + 0x1p-23f,
      -1 - 0x1p-11f, 3.14159f, 1e-20f, 1e30f};
  const auto tf32 = [](float x, bool away) {
    const U32 b = bits32(x), rest = b & 0x1fff, cut = b - rest;
    const bool up = rest > 0x1000 || (rest == 0x1000 && (away || (cut >> 13 & 1)));
    return up ? cut + 0x2000 : cut;
  };
  expect<U32>(
      "cvt.rna.tf32.f32 %d, %a;", [&](float x) { return tf32(x, true); }, v);
  expect<U32>(
      "cvt.rn.tf32.f32 %d, %a;", [&](float x) { return tf32(x, false); }, v);
}

namespace {
// The numbers of an 8-bit format as a table: value of each code, NaN left out.
double fp8_value(unsigned code, bool e5m2) {
  const int m_bits = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7;
  const int e = (code & 0x7f) >> m_bits, m = code & ((1 << m_bits) - 1);
  if (e5m2 ? e == 31 : (code & 0x7f) == 0x7f)
    return e5m2 && m == 0 ? (code & 0x80 ? -INFINITY : INFINITY) : NAN;
  const double x =
      e == 0 ? std::ldexp(m, 1 - bias - m_bits) : std::ldexp((1 << m_bits) + m, e - bias - m_bits);
  return code & 0x80 ? -x : x;
}
// Nearest code by search, ties to the even code; too large gives the largest.
unsigned fp8_code(double x, bool e5m2) {
  if (std::isnan(x)) return 0x7f;
  unsigned best = 0;
  for (unsigned code = 0; code < 0x80; ++code) {
    const double v = fp8_value(code, e5m2);
    if (!std::isfinite(v)) continue;
    const double here = std::fabs(v - std::fabs(x)),
                 there = std::fabs(fp8_value(best, e5m2) - std::fabs(x));
    if (here < there || (here == there && code % 2 == 0)) best = code;
  }
  return best | (std::signbit(x) ? 0x80 : 0);
}
}  // namespace

ROW_TEST(cvt, "to and from the 8-bit formats, two at a time") {
  for (const bool e5m2 : {false, true}) {
    const std::string name = e5m2 ? "e5m2x2" : "e4m3x2";
    std::vector<float> a, b;
    for (float x : {0.0f,    -0.0f,  1.0f,     1.0625f,  1.125f, 1.1875f,      -1.3f,
                    3.3f,    447.0f, 449.0f,   1e6f,     -1e9f,  0.001953125f, 0.0009765625f,
                    0.0001f, 1e-8f,  57344.0f, 61440.0f, 240.0f, 17.0f,        -0.07f})
      a.push_back(x), b.push_back(-x * 1.37f);
    a.push_back(INFINITY), b.push_back(-INFINITY);
    expect<U16>(
        "cvt.rn.satfinite." + name + ".f32 %d, %a, %b;",
        [&](float x, float y) {
          // Infinity, too, becomes the largest number.
          const auto code = [&](double z) {
            return fp8_code(std::isinf(z) ? std::copysign(1e9, z) : z, e5m2);
          };
          return static_cast<U16>(code(x) << 8 | code(y));
        },
        a, b);
    std::vector<U16> codes;
    for (unsigned c = 0; c < 256; ++c)
      if (!std::isnan(fp8_value(c, e5m2)) && !std::isnan(fp8_value(c ^ 0x15, e5m2)))
        codes.push_back(static_cast<U16>(c << 8 | (c ^ 0x15)));
    expect<U32>(
        "cvt.rn.f16x2." + name + " %d, %a;",
        [&](U16 c) {
          return static_cast<U32>(bits_of(fp8_value(c >> 8, e5m2), kFp16)) << 16 |
                 bits_of(fp8_value(c & 255, e5m2), kFp16);
        },
        codes);
    std::vector<U32> halves;
    for (const auto h : half_edges(kFp16))
      if (std::isfinite(value_of(h, kFp16)))
        halves.push_back(static_cast<U32>(h) << 16 | (h ^ 0x8000));
    expect<U16>(
        "cvt.rn.satfinite." + name + ".f16x2 %d, %a;",
        [&](U32 h) {
          return static_cast<U16>(fp8_code(value_of(static_cast<U16>(h >> 16), kFp16), e5m2) << 8 |
                                  fp8_code(value_of(static_cast<U16>(h), kFp16), e5m2));
        },
        halves);
  }
}

}  // namespace emu::tests
