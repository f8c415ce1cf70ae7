// SPDX-License-Identifier: MIT
// cvt between every pair of types with every rounding and saturation, and cvt.pack.
#include "tests/conversions.hpp"
#include "tests/integers.hpp"
#include "tests/numbers.hpp"

namespace emu::tests {
namespace {

// The register a type of 8 bits travels in has 16.
template <class T>
using Reg = std::conditional_t<sizeof(T) == 1,
                               std::conditional_t<std::is_signed_v<T>, std::int16_t, U16>, T>;

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
