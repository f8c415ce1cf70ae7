// SPDX-License-Identifier: MIT
// cvt between every pair of types with every rounding and saturation, and cvt.pack.
#include "tests/integers.hpp"
#include "tests/numbers.hpp"

namespace emu::tests {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
__extension__ using Wide = __int128;

// The register a type of 8 bits travels in has 16.
template <class T>
using Reg = std::conditional_t<sizeof(T) == 1,
                               std::conditional_t<std::is_signed_v<T>, std::int16_t, U16>, T>;

template <class T>
T clamp(Wide x) {
  constexpr Wide kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  return static_cast<T>(x < kLow ? kLow : x > kHigh ? kHigh : x);
}

// f.operator()<T>() for each integer type that cvt takes.
template <class F>
void for_integers(F&& f) {
  f.template operator()<std::uint8_t>();
  f.template operator()<std::int8_t>();
  f.template operator()<U16>();
  f.template operator()<std::int16_t>();
  f.template operator()<U32>();
  f.template operator()<std::int32_t>();
  f.template operator()<U64>();
  f.template operator()<std::int64_t>();
}

const std::pair<const char*, Mode> kToWhole[] = {
    {".rni", Mode::Nearest}, {".rzi", Mode::Zero}, {".rmi", Mode::Down}, {".rpi", Mode::Up}};
const std::pair<const char*, Mode> kRound[] = {
    {".rn", Mode::Nearest}, {".rz", Mode::Zero}, {".rm", Mode::Down}, {".rp", Mode::Up}};

double whole(double x, Mode mode) {
  switch (mode) {
    case Mode::Zero:
      return std::trunc(x);
    case Mode::Down:
      return std::floor(x);
    case Mode::Up:
      return std::ceil(x);
    case Mode::Nearest:
      break;
  }
  return std::nearbyint(x);
}
// Clamped at once: 2^127 is more than any target.
Wide to_wide(double x) {
  return std::fabs(x) < 0x1p100 ? static_cast<Wide>(x) : x > 0 ? Wide{1} << 100 : -(Wide{1} << 100);
}

// A whole number in the two-double form.
template <class T>
Exact exact_of(T x) {
  const double hi = static_cast<double>(x);
  return {hi, static_cast<double>(static_cast<Wide>(x) - static_cast<Wide>(hi))};
}

std::vector<float> fractions() {
  std::vector<float> v = float_edges();
  for (float x : {0.5f, 1.5f, 2.5f, 0.49999997f, 126.5f, 127.5f, 128.0f, 255.5f, 256.0f, 32767.5f,
                  65535.5f, 2147483648.0f, 2147483520.0f, 4294967040.0f, 4294967296.0f,
                  9.2233715e18f, 1.8446744e19f, 1e30f})
    v.push_back(x), v.push_back(-x);
  return v;
}
std::vector<double> double_fractions() {
  std::vector<double> v = double_edges();
  for (double x :
       {0.5, 1.5, 2.5, 127.5, 255.5, 65535.5, 2147483647.0, 2147483647.5, 2147483648.0,
        4294967295.0, 4294967295.5, 0x1p53 + 2, 9.223372036854775e18, 1.8446744073709550e19, 1e30})
    v.push_back(x), v.push_back(-x);
  return v;
}

}  // namespace

ROW_TEST(cvt, "between integers extends by the source's sign and cuts; .sat clamps") {
  for_integers([]<class From>() {
    for_integers([]<class To>() {
      std::vector<Reg<From>> in;
      for (const auto x : edges<Reg<From>>()) in.push_back(x);
      const std::string types = "." + type_name<To>() + "." + type_name<From>();
      // A register wider than the type holds the value extended by the type's own sign.
      expect<Reg<To>>(
          "cvt" + types + " %d, %a;",
          [](Reg<From> x) { return static_cast<Reg<To>>(static_cast<To>(static_cast<From>(x))); },
          in);
      expect<Reg<To>>(
          "cvt.sat" + types + " %d, %a;",
          [](Reg<From> x) { return static_cast<Reg<To>>(clamp<To>(static_cast<From>(x))); }, in);
    });
  });
  // A narrow type in a wider register.
  expect<U32>(
      "cvt.u32.u8 %d, %a;", [](U32 x) { return x & 0xff; }, edges<U32>());
  expect<std::int64_t>(
      "cvt.s64.s16 %d, %a;", [](U32 x) { return std::int64_t{static_cast<std::int16_t>(x)}; },
      edges<U32>());
  expect<std::int32_t>(
      "cvt.s8.s64 %d, %a;", [](U64 x) { return static_cast<std::int8_t>(x); }, edges<U64>());
}

// NaN: 0, but the top bit where a 64-bit type takes part.
ROW_TEST(cvt, "from f32 and f64 to integers rounds as named and clamps") {
  for_integers([]<class To>() {
    for (const auto& [name, mode] : kToWhole) {
      const auto convert = [&, m = mode](double x, bool wide) {
        if (std::isnan(x))
          return static_cast<Reg<To>>(
              wide || sizeof(To) == 8 ? static_cast<To>(U64{1} << (8 * sizeof(To) - 1)) : To{0});
        return static_cast<Reg<To>>(clamp<To>(to_wide(std::isinf(x) ? x : whole(x, m))));
      };
      const std::string types = name + std::string(".") + type_name<To>();
      expect<Reg<To>>(
          "cvt" + types + ".f32 %d, %a;", [&](float x) { return convert(x, false); }, fractions());
      expect<Reg<To>>(
          "cvt" + std::string(name) + ".ftz." + type_name<To>() + ".f32 %d, %a;",
          [&](float x) { return convert(flushed(x), false); }, fractions());
      expect<Reg<To>>(
          "cvt" + types + ".f64 %d, %a;", [&](double x) { return convert(x, true); },
          double_fractions());
    }
  });
}

ROW_TEST(cvt, "from integers to f32 and f64 rounds once in every mode") {
  for_integers([]<class From>() {
    for (const auto& [name, mode] : kRound) {
      std::vector<Reg<From>> in = edges<Reg<From>>();
      if constexpr (sizeof(From) >= 4)
        for (U64 x : {0x1000001ull, 0x1000003ull, 0x7fffffbfull, 0x20000000000001ull,
                      0x20000000000003ull, 0x7ffffffffffffdffull})
          in.push_back(static_cast<From>(x));
      const std::string tail = "." + type_name<From>() + " %d, %a;";
      expect<float>(
          "cvt" + std::string(name) + ".f32" + tail,
          [m = mode](Reg<From> x) { return rounded<float>(exact_of(static_cast<From>(x)), m); },
          in);
      expect<double>(
          "cvt" + std::string(name) + ".f64" + tail,
          [m = mode](Reg<From> x) { return rounded<double>(exact_of(static_cast<From>(x)), m); },
          in);
    }
  });
  // Saturated into [0, 1].
  expect<float>(
      "cvt.rn.sat.f32.s32 %d, %a;", [](std::int32_t x) { return x <= 0 ? 0.0f : 1.0f; },
      edges<std::int32_t>());
}

ROW_TEST(cvt, "between f32 and f64 rounds, flushes and saturates") {
  expect<double>(
      "cvt.f64.f32 %d, %a;", [](float x) { return static_cast<double>(x); },
      [] {
        std::vector<float> v;
        for (float x : float_edges())
          if (!std::isnan(x)) v.push_back(x);
        return v;
      }());
  expect<double>(
      "cvt.ftz.f64.f32 %d, %a;", [](float x) { return static_cast<double>(flushed(x)); },
      std::vector<float>{f32(1), f32(0x80000001), 1.5f});
  std::vector<double> in;
  for (double x : double_edges())
    if (!std::isnan(x)) in.push_back(x);
  for (double x : {1 + 0x1p-24, 1 + 0x1p-23 + 0x1p-24, 0x1p-149, 0x1p-150, 0x1.8p-150, 0x1p-127,
                   3.4028235677973366e38, 0x1.ffffffp127})
    in.push_back(x), in.push_back(-x);
  for (const auto& [name, mode] : kRound) {
    const auto round = [m = mode](double x) {
      return std::isfinite(x) ? rounded<float>({x, 0}, m) : static_cast<float>(x);
    };
    expect<float>("cvt" + std::string(name) + ".f32.f64 %d, %a;", round, in);
    expect<float>(
        "cvt" + std::string(name) + ".sat.f32.f64 %d, %a;",
        [&](double x) { return clamped(round(x)); }, in);
    if (mode == Mode::Nearest || mode == Mode::Zero)
      expect<float>(
          "cvt" + std::string(name) + ".ftz.f32.f64 %d, %a;",
          [&](double x) { return flushed(round(x)); }, in);
  }
  for (const auto& [name, mode] : kToWhole) {
    const auto to_whole = [m = mode](auto x) {
      return std::isfinite(x) ? static_cast<decltype(x)>(std::copysign(whole(x, m), x)) : x;
    };
    expect<float>(
        "cvt" + std::string(name) + ".f32.f32 %d, %a;",
        [&](float x) { return one_nan(to_whole(x)); }, fractions());
    expect<double>("cvt" + std::string(name) + ".f64.f64 %d, %a;", to_whole, in);
  }
  expect<float>(
      "cvt.sat.f32.f32 %d, %a;", [](float x) { return clamped(x); }, float_edges());
  expect<float>(
      "cvt.ftz.f32.f32 %d, %a;", [](float x) { return one_nan(flushed(x)); }, float_edges());
}

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

ROW_TEST(cvt_pack, "clamps two numbers into 16 or 8 bits; the third operand moves up") {
  const auto v = edges<std::int32_t>();
  expect_all<U32>(
      "cvt.pack.sat.u16.s32 %d, %a, %b;",
      [](std::int32_t a, std::int32_t b) {
        return static_cast<U32>(clamp<U16>(a)) << 16 | clamp<U16>(b);
      },
      v, v);
  expect_all<U32>(
      "cvt.pack.sat.s16.s32 %d, %a, %b;",
      [](std::int32_t a, std::int32_t b) {
        return static_cast<U32>(static_cast<U16>(clamp<std::int16_t>(a))) << 16 |
               static_cast<U16>(clamp<std::int16_t>(b));
      },
      v, v);
  expect_all<U32>(
      "cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;",
      [](std::int32_t a, std::int32_t b, U32 c) {
        return c << 16 | static_cast<U32>(clamp<std::uint8_t>(a)) << 8 | clamp<std::uint8_t>(b);
      },
      v, v, std::vector<U32>{0, 0x12345678});
  expect_all<U32>(
      "cvt.pack.sat.s8.s32.b32 %d, %a, %b, %c;",
      [](std::int32_t a, std::int32_t b, U32 c) {
        const auto byte = [](std::int32_t x) {
          return static_cast<U32>(static_cast<std::uint8_t>(clamp<std::int8_t>(x)));
        };
        return c << 16 | byte(a) << 8 | byte(b);
      },
      v, v, std::vector<U32>{0, 0x12345678});
}

}  // namespace emu::tests
