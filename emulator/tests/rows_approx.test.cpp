// SPDX-License-Identifier: MIT
// The approximate functions: special values as the manual's tables give them, and the error it
// allows.
#include "tests/numbers.hpp"
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

// Every result within abs + rel * |exact| of the exact one.
template <class T, class F>
void near(const std::string& text, const std::vector<T>& in, F&& exact, double rel, double abs) {
  const auto got = lanes<T>(text, in);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double want = exact(static_cast<double>(in[i]));
    INFO(text << " of " << in[i] << " is " << got[i] << ", exactly " << want);
    CHECK(std::fabs(got[i] - want) <= abs + rel * std::fabs(want));
  }
}
std::vector<float> spread(double from, double to, int n) {
  std::vector<float> v;
  for (int i = 0; i <= n; ++i) v.push_back(static_cast<float>(from + (to - from) * i / n));
  return v;
}
void specials(const std::string& text, const std::vector<float>& in,
              const std::vector<float>& want) {
  same(text, lanes<float>(text, in), want, in);
}
const float kInf = INFINITY;
const float kNan = f32(kNaN32);
const float kTiny = f32(3);

}  // namespace

ROW_TEST(rsqrt, "has a relative error of 2^-22 and the special values of the manual") {
  near(
      "rsqrt.approx.f32 %d, %a;", spread(0.01, 1000, 200),
      [](double x) { return 1 / std::sqrt(x); }, 0x1p-22, 0);
  near(
      "rsqrt.approx.f32 %d, %a;", std::vector<float>{f32(1), 0x1p-126f, 0x1.fffffep127f},
      [](double x) { return 1 / std::sqrt(x); }, 0x1p-22, 0);
  specials("rsqrt.approx.ftz.f32 %d, %a;", {-kInf, -1.0f, -kTiny, -0.0f, 0.0f, kTiny, kInf, NAN},
           {kNan, kNan, -kInf, -kInf, kInf, kInf, 0.0f, kNan});
  near(
      "rsqrt.approx.f64 %d, %a;", std::vector<double>{0.25, 2, 3e300, 1e-300},
      [](double x) { return 1 / std::sqrt(x); }, 0x1p-22, 0);
  near(
      "rsqrt.approx.ftz.f64 %d, %a;", std::vector<double>{0.25, 2, 3e300},
      [](double x) { return 1 / std::sqrt(x); }, 0x1p-19, 0);
}

ROW_TEST(sin, "has an absolute error of 2^-20.5 from -2 pi to 2 pi") {
  near(
      "sin.approx.f32 %d, %a;", spread(-6.28, 6.28, 300), [](double x) { return std::sin(x); }, 0,
      0x1p-20);
  near(
      "sin.approx.ftz.f32 %d, %a;", std::vector<float>{1e4f, 1e10f, 3e38f, -1e20f},
      [](double x) { return std::sin(x); }, 0, 0x1p-14);
  specials("sin.approx.ftz.f32 %d, %a;", {-kInf, -0.0f, 0.0f, -kTiny, kTiny, kInf, NAN},
           {kNan, -0.0f, 0.0f, -0.0f, 0.0f, kNan, kNan});
}

ROW_TEST(cos, "has an absolute error of 2^-20.5 from -2 pi to 2 pi") {
  near(
      "cos.approx.f32 %d, %a;", spread(-6.28, 6.28, 300), [](double x) { return std::cos(x); }, 0,
      0x1p-20);
  near(
      "cos.approx.ftz.f32 %d, %a;", std::vector<float>{1e4f, 1e10f, 3e38f, -1e20f},
      [](double x) { return std::cos(x); }, 0, 0x1p-14);
  specials("cos.approx.ftz.f32 %d, %a;", {-kInf, -0.0f, 0.0f, kTiny, kInf, NAN},
           {kNan, 1.0f, 1.0f, 1.0f, kNan, kNan});
}

ROW_TEST(lg2, "has a relative error of 2^-22, absolute near 1") {
  near(
      "lg2.approx.f32 %d, %a;", spread(0.001, 0.9, 100), [](double x) { return std::log2(x); },
      0x1p-22, 0x1p-22);
  near(
      "lg2.approx.f32 %d, %a;", spread(0.9, 2000, 300), [](double x) { return std::log2(x); },
      0x1p-22, 0x1p-22);
  near(
      "lg2.approx.f32 %d, %a;", std::vector<float>{f32(1), 0x1p-126f, 0x1.fffffep127f},
      [](double x) { return std::log2(x); }, 0x1p-22, 0);
  specials("lg2.approx.ftz.f32 %d, %a;",
           {-kInf, -1.0f, -kTiny, -0.0f, 0.0f, kTiny, 1.0f, kInf, NAN},
           {kNan, kNan, -kInf, -kInf, -kInf, -kInf, 0.0f, kInf, kNan});
}

ROW_TEST(ex2, "has a relative error of 2^-22") {
  near(
      "ex2.approx.f32 %d, %a;", spread(-125, 127.5, 300), [](double x) { return std::exp2(x); },
      0x1p-22, 0);
  near(
      "ex2.approx.f32 %d, %a;", std::vector<float>{-130.5f, -148.0f},
      [](double x) { return std::exp2(x); }, 0x1p-22, 0x1p-149);
  specials("ex2.approx.ftz.f32 %d, %a;",
           {-kInf, -130.0f, -kTiny, -0.0f, 0.0f, kTiny, 10.0f, 128.0f, kInf, NAN},
           {0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1024.0f, kInf, kInf, kNan});
}

ROW_TEST(tanh, "has a relative error of 2^-11") {
  near(
      "tanh.approx.f32 %d, %a;", spread(-12, 12, 300), [](double x) { return std::tanh(x); },
      0x1p-11, 0);
  specials("tanh.approx.f32 %d, %a;", {-kInf, -0.0f, 0.0f, kInf, NAN},
           {-1.0f, -0.0f, 0.0f, 1.0f, kNan});
}

namespace {
// A function of halves: the f32 value rounded, or within a unit of it.
template <class F>
void test_half(const std::string& op, bool ftz_brain, F&& exact, double rel) {
  for (const HalfFormat& format : {kFp16, kBf16}) {
    const std::string name = format.brain ? "bf16" : "f16",
                      ftz = format.brain && ftz_brain ? ".ftz." : ".";
    std::vector<std::uint16_t> in;
    std::vector<std::uint32_t> pairs;
    for (const auto h : half_edges(format)) in.push_back(h);
    for (int i = 0; i < 100; ++i)
      in.push_back(bits_of(to_half({(i - 50) * 0.11, 0}, format), format));
    for (const auto h : in)
      pairs.push_back(h | static_cast<std::uint32_t>(in[(h * 7u + 3) % in.size()]) << 16);
    const auto one = lanes<std::uint16_t>(op + ftz + name + " %d, %a;", in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double x = value_of(in[i], format), want = to_half({exact(x), 0}, format),
                   got = value_of(one[i], format);
      INFO(op << ftz << name << " of " << x << " is " << got << ", exactly " << want);
      if (std::isnan(want)) {
        CHECK(one[i] == 0x7fff);
      } else if (std::isinf(want)) {
        CHECK(got == want);
      } else {
        CHECK(std::fabs(got - want) <=
              rel * std::fabs(want) +
                  std::ldexp(1.0, format.least_exponent - format.precision + 1));
      }
    }
    // Two at once give the same as one and one.
    const auto two = lanes<std::uint32_t>(op + ftz + name + "x2 %d, %a;", pairs);
    std::vector<std::uint32_t> want;
    for (const auto w : pairs) {
      const auto low = std::find(in.begin(), in.end(), static_cast<std::uint16_t>(w)) - in.begin();
      const auto high =
          std::find(in.begin(), in.end(), static_cast<std::uint16_t>(w >> 16)) - in.begin();
      want.push_back(one[low] | static_cast<std::uint32_t>(one[high]) << 16);
    }
    same(op + ftz + name + "x2", two, want, pairs);
  }
}
}  // namespace

ROW_TEST(tanh_half, "gives tanh of one or two halves") {
  test_half(
      "tanh.approx", false, [](double x) { return std::tanh(x); }, 0x1p-7);
}
ROW_TEST(ex2_half, "gives 2 to the x of one or two halves") {
  test_half(
      "ex2.approx", true, [](double x) { return std::exp2(x); }, 0x1p-7);
}

}  // namespace emu::tests
