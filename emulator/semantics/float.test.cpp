// SPDX-License-Identifier: MIT
// f32 and f64 arithmetic against exact integer arithmetic in every rounding mode; special values;
// the approximate functions against the C library's double functions.
#include "semantics/float.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <optional>
#include <random>
#include <string>

#include "semantics/exact_reference.test.hpp"
#include "semantics/float_op.test.hpp"
#include "support/catch.hpp"

using namespace emu::exec::semantics;
using emu::exec::fake::FloatOp;
namespace reference = emu::exec::reference;

namespace {

struct Mode {
  const char* name;
  Round round;
};
constexpr Mode kModes[] = {
    {"rn", Round::NearestEven}, {"rz", Round::Zero}, {"rm", Round::Down}, {"rp", Round::Up}};

std::mt19937_64 random_bits(11);

// Finite floats of every size, many of them close together or near the ends of the range.
std::uint64_t some_f32() {
  const std::uint64_t r = random_bits();
  static constexpr std::uint32_t kEdges[] = {0,          1,          2,          0x7fffff,
                                             0x800000,   0x800001,   0x3f800000, 0x3f800001,
                                             0x3f7fffff, 0x7f7fffff, 0x7e800000, 0x4b800000};
  const std::uint64_t sign = (r >> 63) << 31;
  switch (r & 7) {
    case 0:
      return sign | kEdges[(r >> 3) % std::size(kEdges)];
    case 1:
      return sign | ((r >> 8) & 0x00ffffff);
    case 2:
    case 3:
      return sign | (((r >> 8) % 0xff) << 23) | ((r >> 32) & 0x7fffff);
    default:
      return sign | ((120 + (r >> 8) % 16) << 23) | ((r >> 32) & 0x7fffff);
  }
}
std::uint64_t some_f64() {
  const std::uint64_t r = random_bits(), fraction = random_bits() >> 12;
  const std::uint64_t sign = r & 0x8000000000000000u;
  switch (r & 3) {
    case 0:
      return sign | (((r >> 8) % 0x7ff) << 52) | fraction;
    case 1:
      return sign | (r & 0x100 ? fraction : fraction >> 40);
    default:
      return sign | ((1015 + (r >> 8) % 16) << 52) |
             (r & 0x200 ? fraction : fraction & 0xffff000000000u);
  }
}

// Runs an instruction on n full warps of random operands and counts results that differ from
// `expect`.
template <class Source, class Expect>
int mismatches(const std::string& text, std::size_t sources, std::uint32_t bytes, int warps,
               Source source, Expect expect) {
  FloatOp op(text, std::vector<std::uint32_t>(sources, bytes), bytes);
  int wrong = 0;
  for (int w = 0; w < warps; ++w) {
    std::uint64_t in[32][3] = {};
    for (int lane = 0; lane < 32; ++lane) {
      for (std::size_t i = 0; i < sources; ++i)
        op.set(static_cast<int>(i), lane, in[lane][i] = source());
    }
    op.run();
    for (int lane = 0; lane < 32; ++lane) {
      const auto want = expect(in[lane][0], in[lane][1], in[lane][2]);
      if (want && op.get(lane) != *want) ++wrong;
    }
  }
  return wrong;
}
using Maybe = std::optional<std::uint64_t>;  // nothing: this input is not looked at

float f32(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
std::uint64_t of(float x) { return bits_of(x); }
std::uint64_t of(double x) { return bits_of(x); }
constexpr std::uint64_t kInf = 0x7f800000, kMinusInf = 0xff800000, kNan = 0x7fffffff;

}  // namespace

TEST_CASE("f32 arithmetic is exact in every rounding mode",
          "[add_float][sub_float][mul_float][fma_float][mad_float][div_float][rcp][sqrt]") {
  for (const Mode& m : kModes) {
    const std::string r = std::string(".") + m.name;
    CAPTURE(r);
    CHECK(mismatches("add" + r + ".f32", 2, 4, 400, some_f32, [&](auto a, auto b, auto) -> Maybe {
            return reference::sum(a, b, kF32, m.round);
          }) == 0);
    CHECK(mismatches("sub" + r + ".f32", 2, 4, 400, some_f32, [&](auto a, auto b, auto) -> Maybe {
            return reference::sum(a, b ^ 0x80000000u, kF32, m.round);
          }) == 0);
    CHECK(mismatches("mul" + r + ".f32", 2, 4, 400, some_f32, [&](auto a, auto b, auto) -> Maybe {
            return reference::product(a, b, kF32, m.round);
          }) == 0);
    for (const char* name : {"fma", "mad"}) {
      CHECK(
          mismatches(name + r + ".f32", 3, 4, 800, some_f32, [&](auto a, auto b, auto c) -> Maybe {
            return reference::fma(a, b, c, kF32, m.round);
          }) == 0);
    }
    CHECK(mismatches("div" + r + ".f32", 2, 4, 400, some_f32, [&](auto a, auto b, auto) -> Maybe {
            if ((b & 0x7fffffff) == 0) return std::nullopt;
            return reference::quotient(a, b, kF32, m.round);
          }) == 0);
    CHECK(mismatches("rcp" + r + ".f32", 1, 4, 400, some_f32, [&](auto a, auto, auto) -> Maybe {
            if ((a & 0x7fffffff) == 0) return std::nullopt;
            return reference::quotient(0x3f800000, a, kF32, m.round);
          }) == 0);
    CHECK(mismatches("sqrt" + r + ".f32", 1, 4, 400, some_f32, [&](auto a, auto, auto) -> Maybe {
            if (a >> 31) return std::nullopt;
            return reference::root(a, kF32, m.round);
          }) == 0);
  }
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("f64 arithmetic is exact in every rounding mode",
          "[add_float][sub_float][mul_float][div_float][rcp][sqrt]") {
  for (const Mode& m : kModes) {
    const std::string r = std::string(".") + m.name;
    CAPTURE(r);
    CHECK(mismatches("add" + r + ".f64", 2, 8, 300, some_f64, [&](auto a, auto b, auto) -> Maybe {
            return reference::sum(a, b, kF64, m.round);
          }) == 0);
    CHECK(mismatches("sub" + r + ".f64", 2, 8, 300, some_f64, [&](auto a, auto b, auto) -> Maybe {
            return reference::sum(a, b ^ (std::uint64_t{1} << 63), kF64, m.round);
          }) == 0);
    CHECK(mismatches("mul" + r + ".f64", 2, 8, 300, some_f64, [&](auto a, auto b, auto) -> Maybe {
            return reference::product(a, b, kF64, m.round);
          }) == 0);
    CHECK(mismatches("fma" + r + ".f64", 3, 8, 300, some_f64, [&](auto a, auto b, auto c) -> Maybe {
            // Where the product is exact in 53 bits the sum is all there is to round.
            const std::uint64_t p = reference::product(a, b, kF64, Round::Zero);
            if (p != reference::product(a, b, kF64, Round::Up) ||
                p != reference::product(a, b, kF64, Round::Down))
              return std::nullopt;
            return reference::sum(p, c, kF64, m.round);
          }) == 0);
    CHECK(mismatches("div" + r + ".f64", 2, 8, 300, some_f64, [&](auto a, auto b, auto) -> Maybe {
            if (b << 1 == 0) return std::nullopt;
            return reference::quotient(a, b, kF64, m.round);
          }) == 0);
    CHECK(mismatches("rcp" + r + ".f64", 1, 8, 300, some_f64, [&](auto a, auto, auto) -> Maybe {
            if (a << 1 == 0) return std::nullopt;
            return reference::quotient(of(1.0), a, kF64, m.round);
          }) == 0);
    CHECK(mismatches("sqrt" + r + ".f64", 1, 8, 300, some_f64, [&](auto a, auto, auto) -> Maybe {
            if (a >> 63) return std::nullopt;
            return reference::root(a, kF64, m.round);
          }) == 0);
  }
}

TEST_CASE("f32 operations deliver the NaN 0x7fffffff, whatever NaN goes in",
          "[add_float][mul_float][fma_float][abs_float][neg_float]") {
  CHECK(FloatOp("add.f32", {4, 4}, 4)({0xffc12345, of(1.0f)}) == kNan);
  CHECK(FloatOp("add.f32", {4, 4}, 4)({kInf, kMinusInf}) == kNan);
  CHECK(FloatOp("mul.rz.f32", {4, 4}, 4)({kInf, 0}) == kNan);
  CHECK(FloatOp("fma.rn.f32", {4, 4, 4}, 4)({kInf, of(1.0f), kMinusInf}) == kNan);
  CHECK(FloatOp("abs.f32", {4}, 4)({0xffc12345}) == kNan);
  CHECK(FloatOp("neg.f32", {4}, 4)({0x7f800001}) == kNan);
}

TEST_CASE("f64 operations hand on a NaN operand, made quiet",
          "[add_float][mul_float][fma_float][div_float][min_float][abs_float]") {
  const std::uint64_t one = of(1.0), inf = 0x7ff0000000000000u,
                      minus_inf = inf | std::uint64_t{1} << 63;
  const std::uint64_t a = 0x7ff0000000000001u, b = 0xfff8000000000123u, c = 0x7ff8000000000456u;
  CHECK(FloatOp("add.f64", {8, 8}, 8)({a, one}) == (a | kQuietF64));
  CHECK(FloatOp("add.f64", {8, 8}, 8)({a, b}) == b);
  CHECK(FloatOp("mul.rm.f64", {8, 8}, 8)({c, b}) == b);
  CHECK(FloatOp("fma.rn.f64", {8, 8, 8}, 8)({a, b, c}) == b);
  CHECK(FloatOp("fma.rp.f64", {8, 8, 8}, 8)({a, one, c}) == c);
  CHECK(FloatOp("div.rn.f64", {8, 8}, 8)({c, b}) == c);
  CHECK(FloatOp("sub.f64", {8, 8}, 8)({inf, inf}) == kNanF64);
  CHECK(FloatOp("sqrt.rn.f64", {8}, 8)({of(-1.0)}) == kNanF64);
  CHECK(FloatOp("min.f64", {8, 8}, 8)({a, one}) == one);
  CHECK(FloatOp("min.f64", {8, 8}, 8)({c, b}) == b);
  CHECK(FloatOp("abs.f64", {8}, 8)({b}) == b);
  CHECK(FloatOp("neg.f64", {8}, 8)({minus_inf}) == inf);
}

TEST_CASE(".ftz flushes subnormal operands and results to a zero of their sign",
          "[add_float][mul_float][fma_float][div_float][abs_float][neg_float]") {
  CHECK(FloatOp("add.ftz.f32", {4, 4}, 4)({0x80000001, 0x80000000}) == 0x80000000);
  CHECK(FloatOp("mul.ftz.f32", {4, 4}, 4)({0x00800000, of(-0.5f)}) == 0x80000000);
  CHECK(FloatOp("mul.f32", {4, 4}, 4)({0x00800000, of(-0.5f)}) == 0x80400000);
  CHECK(FloatOp("fma.rz.ftz.f32", {4, 4, 4}, 4)({0x007fffff, of(2.0f), 0}) == 0);
  CHECK(FloatOp("neg.ftz.f32", {4}, 4)({1}) == 0x80000000);
  CHECK(FloatOp("abs.ftz.f32", {4}, 4)({0x80000001}) == 0);
}
TEST_CASE(
    ".ftz judges the rounded result, as if exponents had no end: just below 2^-126 is flushed",
    "[mul_float][fma_float][div_float]") {
  CHECK(FloatOp("mul.ftz.f32", {4, 4}, 4)({0x3f7fffff, 0x00800000}) == 0);
  CHECK(FloatOp("mul.rp.ftz.f32", {4, 4}, 4)({0x3f7fffff, 0x00800000}) == 0);
  CHECK(FloatOp("mul.f32", {4, 4}, 4)({0x3f7fffff, 0x00800000}) == 0x00800000);
  CHECK(FloatOp("fma.rn.ftz.f32", {4, 4, 4}, 4)({0x3f7fffff, 0x80800000, 0}) == 0x80000000);
  CHECK(FloatOp("div.rn.ftz.f32", {4, 4}, 4)({0x3f7fffff, 0x7e800000}) == 0);
  // 2^-252 - 2^-126: 24 bits make it -2^-126 but for rounding towards zero.
  const auto near = [](const char* text) {
    return FloatOp(text, {4, 4, 4}, 4)({0x00800000, 0x00800000, 0x80800000});
  };
  CHECK(near("fma.rn.ftz.f32") == 0x80800000);
  CHECK(near("fma.rm.ftz.f32") == 0x80800000);
  CHECK(near("fma.rz.ftz.f32") == 0x80000000);
  CHECK(near("fma.rp.ftz.f32") == 0x80000000);
  FloatOp whole_warp("mul.ftz.f32", {4, 4}, 4);
  for (int lane = 0; lane < 32; ++lane) {
    whole_warp.set(0, lane, lane == 7 ? 0x3f7fffff : of(3.0f));
    whole_warp.set(1, lane, lane == 7 ? 0x00800000 : of(2.0f));
  }
  whole_warp.run();
  CHECK(whole_warp.get(7) == 0);
  CHECK(whole_warp.get(8) == of(6.0f));
}

TEST_CASE(".sat clamps to [0, 1] and makes +0 of NaN and of -0",
          "[add_float][sub_float][mul_float][fma_float]") {
  CHECK(FloatOp("add.sat.f32", {4, 4}, 4)({of(0.75f), of(0.5f)}) == of(1.0f));
  CHECK(FloatOp("sub.rz.sat.f32", {4, 4}, 4)({of(0.5f), of(0.75f)}) == 0);
  CHECK(FloatOp("mul.sat.f32", {4, 4}, 4)({of(-0.0f), of(1.0f)}) == 0);
  CHECK(FloatOp("fma.rn.sat.f32", {4, 4, 4}, 4)({kNan, 0, 0}) == 0);
  CHECK(FloatOp("fma.rn.sat.f32", {4, 4, 4}, 4)({of(0.5f), of(0.5f), 0}) == of(0.25f));
}

TEST_CASE("modifiers that do not go with f64 are refused", "[add_float][rcp]") {
  CHECK_THROWS(FloatOp("add.sat.f64", {8, 8}, 8));
  CHECK_THROWS(FloatOp("mul.ftz.f64", {8, 8}, 8));
  CHECK_THROWS(FloatOp("rcp.approx.f64", {8}, 8));
}

TEST_CASE("min and max order -0 below +0 and prefer numbers to NaN", "[min_float][max_float]") {
  CHECK(FloatOp("min.f32", {4, 4}, 4)({0, 0x80000000}) == 0x80000000);
  CHECK(FloatOp("max.f32", {4, 4}, 4)({0x80000000, 0}) == 0);
  CHECK(FloatOp("max.f32", {4, 4}, 4)({kNan, of(-3.0f)}) == of(-3.0f));
  CHECK(FloatOp("min.f32", {4, 4}, 4)({0xffc00000, 0x7fc00000}) == kNan);
  CHECK(FloatOp("min.NaN.f32", {4, 4}, 4)({kMinusInf, 0xffc00001}) == kNan);
  CHECK(FloatOp("max.ftz.f32", {4, 4}, 4)({1, 0x80000001}) == 0);
  CHECK(FloatOp("min.xorsign.abs.f32", {4, 4}, 4)({of(-2.0f), of(1.0f)}) == of(-1.0f));
  CHECK(FloatOp("max.xorsign.abs.f32", {4, 4}, 4)({of(-2.0f), of(-1.0f)}) == of(2.0f));
  CHECK(FloatOp("max.f32", {4, 4, 4}, 4)({of(1.0f), of(5.0f), of(3.0f)}) == of(5.0f));
  CHECK(FloatOp("max.f64", {8, 8}, 8)({of(1.0), of(-5.0)}) == of(1.0));
  CHECK_THROWS(FloatOp("max.f64", {8, 8, 8}, 8));
}

TEST_CASE("copysign takes the sign of its first operand", "[copysign]") {
  CHECK(FloatOp("copysign.f32", {4, 4}, 4)({of(-1.0f), of(3.0f)}) == of(-3.0f));
  CHECK(FloatOp("copysign.f64", {8, 8}, 8)({of(1.0), of(-3.0)}) == of(3.0));
}

TEST_CASE("testp tells the classes of numbers apart; zeros are normal", "[testp]") {
  const std::uint64_t values[] = {0, 1, of(1.0f), kInf, kNan, 0x80000000};
  const struct {
    const char* name;
    int holds[6];
  } table[] = {{"finite", {1, 1, 1, 0, 0, 1}}, {"infinite", {0, 0, 0, 1, 0, 0}},
               {"number", {1, 1, 1, 1, 0, 1}}, {"notanumber", {0, 0, 0, 0, 1, 0}},
               {"normal", {1, 0, 1, 0, 0, 1}}, {"subnormal", {0, 1, 0, 0, 0, 0}}};
  for (const auto& row : table) {
    CAPTURE(row.name);
    FloatOp op(std::string("testp.") + row.name + ".f32", {4}, 0);
    for (int i = 0; i < 6; ++i) CHECK(op({values[i]}) == static_cast<std::uint64_t>(row.holds[i]));
  }
  CHECK(FloatOp("testp.subnormal.f64", {8}, 0)({1}) == 1);
  CHECK(FloatOp("testp.infinite.f64", {8}, 0)({0xfff0000000000000u}) == 1);
}

TEST_CASE("lanes that are off keep what they hold", "[add_float][div_float]") {
  for (const char* text : {"add.f32", "add.rz.f32", "div.rn.ftz.f32"}) {
    FloatOp op(text, {4, 4}, 4);
    op.fill(0xab);
    for (int lane = 0; lane < 32; ++lane) {
      op.set(0, lane, of(6.0f));
      op.set(1, lane, of(2.0f));
    }
    op.run(0x10);
    CHECK(op.get(3) == 0xabababab);
    CHECK(op.get(4) != 0xabababab);
  }
}

TEST_CASE("approximate functions are within a unit in the last place",
          "[ex2][lg2][sin][cos][tanh][rcp][rsqrt][sqrt][div_float]") {
  const struct {
    const char* text;
    double (*exact)(double);
    double low, high;
  } table[] = {{"ex2.approx.f32", std::exp2, -148, 127.9},
               {"lg2.approx.f32", std::log2, 1e-40, 1e38},
               {"sin.approx.f32", std::sin, -7, 7},
               {"cos.approx.f32", std::cos, -7, 7},
               {"sin.approx.f32", std::sin, -1e6, 1e6},
               {"cos.approx.f32", std::cos, 1e5, 3e8},
               {"cos.approx.f32", std::cos, -1e15, 3e38},
               {"tanh.approx.f32", std::tanh, -12, 12},
               {"tanh.approx.f32", std::tanh, -0.3, 0.3},
               {"lg2.approx.f32", std::log2, 0.5, 2},
               {"sqrt.approx.f32", std::sqrt, 0, 1e38},
               {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 1e-40, 1e38},
               {"rcp.approx.f32", [](double x) { return 1 / x; }, 0.01, 1e30}};
  for (const auto& row : table) {
    CAPTURE(row.text, row.low);
    FloatOp op(row.text, {4}, 4);
    std::uniform_real_distribution<double> linear(row.low, row.high);
    double worst = 0;
    for (int i = 0; i < 4000; ++i) {
      const float x = static_cast<float>(linear(random_bits));
      const double want = row.exact(x);
      const double got = f32(op({of(x)}));
      const double unit =
          std::ldexp(1.0, std::max(std::ilogb(want == 0 ? 1e-45 : want) - 23, -149));
      worst = std::max(worst, std::fabs(got - want) / unit);
    }
    CHECK(worst < 0.51);
  }
}

TEST_CASE("approximate functions deliver the special values of the manual",
          "[ex2][lg2][sin][cos][tanh][rcp][rsqrt][sqrt][div_float]") {
  const auto f = [](const char* text, std::uint64_t x) { return FloatOp(text, {4}, 4)({x}); };
  CHECK(f("ex2.approx.f32", kMinusInf) == 0);
  CHECK(f("ex2.approx.f32", kInf) == kInf);
  CHECK(f("ex2.approx.f32", 0x80000000) == of(1.0f));
  CHECK(f("ex2.approx.f32", 0xffc00000) == kNan);
  CHECK(f("ex2.approx.f32", of(-149.0f)) == 1);
  CHECK(f("ex2.approx.ftz.f32", of(-127.0f)) == 0);
  CHECK(f("lg2.approx.f32", 0x80000000) == kMinusInf);
  CHECK(f("lg2.approx.f32", kInf) == kInf);
  CHECK(f("lg2.approx.f32", of(-1.0f)) == kNan);
  CHECK(f("lg2.approx.f32", 1) == of(-149.0f));
  CHECK(f("lg2.approx.ftz.f32", 1) == kMinusInf);
  CHECK(f("sin.approx.f32", 0x80000000) == 0x80000000);
  CHECK(f("sin.approx.f32", kInf) == kNan);
  CHECK(f("cos.approx.f32", kMinusInf) == kNan);
  CHECK(f("cos.approx.f32", 0) == of(1.0f));
  CHECK(f("tanh.approx.f32", kMinusInf) == of(-1.0f));
  CHECK(f("tanh.approx.f32", 0x80000000) == 0x80000000);
  CHECK(f("rcp.approx.f32", 0x80000000) == kMinusInf);
  CHECK(f("rcp.approx.ftz.f32", 1) == kInf);
  CHECK(f("rsqrt.approx.f32", 0x80000000) == kMinusInf);
  CHECK(f("rsqrt.approx.f32", of(-1.0f)) == kNan);
  CHECK(f("rsqrt.approx.f32", kInf) == 0);
  CHECK(f("sqrt.approx.ftz.f32", 0x80000001) == 0x80000000);
  CHECK(f("sqrt.approx.f32", 0x80000001) == kNan);
  FloatOp div("div.approx.f32", {4, 4}, 4);
  CHECK(div({of(3.0f), of(2.0f)}) == of(1.5f));
  CHECK(div({of(-8.0f), 0x7f000000}) == 0x80000000);  // a divisor above 2^126
  CHECK(div({kInf, 0x7f000000}) == kNan);
  CHECK(FloatOp("div.full.f32", {4, 4}, 4)({of(8.0f), 0x7f000000}) == 0x01800000);
}

TEST_CASE("rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 work on the upper word", "[rcp][rsqrt]") {
  FloatOp rcp("rcp.approx.ftz.f64", {8}, 8), rsqrt("rsqrt.approx.ftz.f64", {8}, 8);
  CHECK(rcp({of(4.0)}) == of(0.25));
  CHECK(rcp({of(4.0) + 0xffff}) == of(0.25));
  CHECK((rcp({of(3.0)}) & 0xffffffff) == 0);
  CHECK(std::fabs(std::bit_cast<double>(rcp({of(3.0)})) * 3 - 1) < 0x1p-20);
  CHECK(rcp({1}) == 0x7ff0000000000000u);
  CHECK(rsqrt({of(16.0)}) == of(0.25));
  CHECK(rsqrt({0x8000000000000000u}) == 0xfff0000000000000u);
  CHECK(rsqrt({of(-1.0)}) == 0x7fffffff00000000u);
  CHECK(FloatOp("rsqrt.approx.f64", {8}, 8)({of(4.0)}) == of(0.5));
}
