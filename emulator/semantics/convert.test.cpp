// SPDX-License-Identifier: MIT
// cvt: the rounding core against the host's own conversions and 128-bit integers, the fast handlers
// against the core, and the special values.
#include "semantics/convert.hpp"

#include <cfenv>
#include <cmath>
#include <random>
#include <string>

#include "semantics/exact_reference.test.hpp"
#include "semantics/float_op.test.hpp"
#include "semantics/rounding.hpp"
#include "support/catch.hpp"

using namespace emu::exec::semantics;
using emu::exec::fake::FloatOp;

namespace {

std::mt19937_64 random_bits(17);

std::uint64_t of(float x) { return bits_of(x); }
std::uint64_t of(double x) { return bits_of(x); }

struct Mode {
  const char* name;
  Round round;
  int fenv;
};
constexpr Mode kModes[] = {{"rn", Round::NearestEven, FE_TONEAREST},
                           {"rz", Round::Zero, FE_TOWARDZERO},
                           {"rm", Round::Down, FE_DOWNWARD},
                           {"rp", Round::Up, FE_UPWARD}};

struct TypeInfo {
  const char* name;
  NumberType type;
  std::uint32_t bytes;
};
const TypeInfo kTypes[] = {
    {"u8", {.bits = 8}, 2},       {"s8", {.bits = 8, .is_signed = true}, 2},
    {"u16", {.bits = 16}, 2},     {"s16", {.bits = 16, .is_signed = true}, 2},
    {"u32", {.bits = 32}, 4},     {"s32", {.bits = 32, .is_signed = true}, 4},
    {"u64", {.bits = 64}, 8},     {"s64", {.bits = 64, .is_signed = true}, 8},
    {"f16", {.format = kF16}, 2}, {"bf16", {.format = kBF16}, 2},
    {"f32", {.format = kF32}, 4}, {"f64", {.format = kF64}, 8}};

// Values of a type that conversions stumble over, and random ones.
std::uint64_t some(const NumberType& t) {
  const std::uint64_t r = random_bits(), low = random_bits();
  if (!t.is_float()) {
    const std::uint64_t bits = low_bits(t.bits);
    switch (r & 7) {
      case 0:
        return 0;
      case 1:
        return bits;
      case 2:
        return std::uint64_t{1} << (t.bits - 1);
      case 3:
        return bits >> 1;
      case 4:
        return (low >> (r >> 8) % 64) & bits;
      default:
        return low & bits;
    }
  }
  const Format& f = t.format;
  const std::uint64_t sign = r >> 63 ? f.sign_bit() : 0;
  const auto near = [&](int exponent, std::uint64_t fraction) {
    if (exponent + f.bias() < 1 || exponent > f.bias()) exponent = 0;
    return static_cast<std::uint64_t>(exponent + f.bias()) << f.fraction_bits |
           (fraction & f.fraction_mask());
  };
  switch (r & 7) {
    case 0:
      return sign;
    case 1:
      return sign | f.infinity();
    case 2:
      return sign | (low & f.fraction_mask());
    case 3:
      return sign | near(static_cast<int>((r >> 8) % 70) - 2, low);
    case 4:
      return sign | near(static_cast<int>((r >> 8) % 70) - 2, low & ~low_bits(f.fraction_bits / 2));
    case 5:
      return sign |
             near(static_cast<int>((r >> 8) % 40) - 30, low & ~low_bits(f.fraction_bits - 3));
    default:
      return sign | (low & f.canonical_nan());
  }
}

// Number of lanes in which the instruction and the rule differ.
int mismatches(const std::string& text, const TypeInfo& to, const TypeInfo& from,
               const ConvertRule& rule, int warps) {
  FloatOp op(text, {from.bytes}, to.bytes);
  int wrong = 0;
  for (int w = 0; w < warps; ++w) {
    std::uint64_t in[32];
    for (int lane = 0; lane < 32; ++lane) op.set(0, lane, in[lane] = some(from.type));
    op.run();
    for (int lane = 0; lane < 32; ++lane) {
      const std::uint64_t want = convert(in[lane], rule) & low_bits(static_cast<int>(8 * to.bytes));
      wrong += op.get(lane) != want;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("encode rounds doubles to f32 as the host does in every mode") {
  for (const Mode& m : kModes) {
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t bits = some({.format = kF64});
      const double x = std::bit_cast<double>(bits);
      if (x != x) continue;
      float want;
      {
        const RoundingScope scope(m.fenv);
        want = pinned(static_cast<float>(pinned(x)));
      }
      wrong += encode(decode(bits, kF64), kF32, m.round) != of(want);
    }
    CAPTURE(m.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("encode rounds integers to f32 and f64 as the host does in every mode") {
  for (const Mode& m : kModes) {
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t x = random_bits() >> (random_bits() % 64);
      volatile std::uint64_t hidden = x;
      float f;
      double d;
      {
        const RoundingScope scope(m.fenv);
        f = pinned(static_cast<float>(hidden));
        d = pinned(static_cast<double>(hidden));
      }
      wrong += encode(from_integer(x, false), kF32, m.round) != of(f);
      wrong += encode(from_integer(x, false), kF64, m.round) != of(d);
    }
    CAPTURE(m.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("cvt between every two types gives the exact result", "[cvt]") {
  for (const TypeInfo& to : kTypes) {
    for (const TypeInfo& from : kTypes) {
      const bool to_float = to.type.is_float(), from_float = from.type.is_float();
      for (const Mode& m : kModes) {
        ConvertRule rule;
        rule.to = to.type;
        rule.from = from.type;
        rule.round = m.round;
        std::string text = "cvt.";
        if (to_float != from_float ||
            (to_float && (to.bytes < from.bytes || (to.bytes == 2 && from.bytes == 2)))) {
          text += std::string(m.name) + (from_float && !to_float ? "i." : ".");
          if (std::string(to.name) == from.name)
            text = std::string("cvt.") + m.name + "i.", rule.integral = true;
        } else if (to_float && std::string(to.name) == from.name) {
          text += std::string(m.name) + "i.";
          rule.integral = true;
        } else if (m.round != Round::NearestEven) {
          continue;
        }
        if (!to_float && (std::string(from.name) == "f64" || to.type.bits == 64)) {
          rule.nan_integer = std::uint64_t{1} << (to.type.bits - 1);
        }
        text += std::string(to.name) + "." + from.name;
        // bf16 to f32 shifts the bits, NaNs and all.
        const bool shifts = std::string(from.name) == "bf16" && std::string(to.name) == "f32";
        CAPTURE(text);
        if (!shifts) CHECK(mismatches(text, to, from, rule, 40) == 0);
      }
    }
  }
}

TEST_CASE("cvt.sat clamps integers to the narrower range", "[cvt]") {
  for (const TypeInfo& to : kTypes) {
    for (const TypeInfo& from : kTypes) {
      if (to.type.is_float() || from.type.is_float()) continue;
      ConvertRule rule;
      rule.to = to.type;
      rule.from = from.type;
      rule.sat = true;
      const std::string text = std::string("cvt.sat.") + to.name + "." + from.name;
      CAPTURE(text);
      CHECK(mismatches(text, to, from, rule, 10) == 0);
    }
  }
  CHECK(FloatOp("cvt.sat.s8.s32", {4}, 4)({static_cast<std::uint32_t>(-200)}) == 0xffffff80);
  CHECK(FloatOp("cvt.sat.u8.s32", {4}, 4)({static_cast<std::uint32_t>(-200)}) == 0);
  CHECK(FloatOp("cvt.sat.u16.u64", {8}, 2)({~std::uint64_t{0}}) == 0xffff);
}

TEST_CASE("cvt extends from the type, not from the register, and fills the register", "[cvt]") {
  CHECK(FloatOp("cvt.u32.u8", {2}, 4)({0xabff}) == 0xff);
  CHECK(FloatOp("cvt.s32.s8", {2}, 4)({0xab80}) == 0xffffff80);
  CHECK(FloatOp("cvt.s32.s8", {4}, 4)({0x12345680}) == 0xffffff80);
  CHECK(FloatOp("cvt.s8.u32", {4}, 4)({0x180}) == 0xffffff80);
  CHECK(FloatOp("cvt.u8.u32", {4}, 4)({0x1ff}) == 0xff);
  CHECK(FloatOp("cvt.u8.s64", {8}, 2)({0x1ff}) == 0xff);
  CHECK(FloatOp("cvt.s64.s32", {4}, 8)({0x80000000}) == 0xffffffff80000000u);
  CHECK(FloatOp("cvt.u64.u32", {4}, 8)({0x80000000}) == 0x80000000u);
  CHECK(FloatOp("cvt.s16.s32", {4}, 4)({0x18000}) == 0xffff8000);
  CHECK(FloatOp("cvt.rzi.s8.f32", {4}, 4)({of(-200.0f)}) == 0xffffff80);
}

TEST_CASE("float to integer clamps; NaN gives 0, or the top bit where a 64-bit type takes part",
          "[cvt]") {
  const std::uint64_t nan = 0x7fc00000, nan64 = 0x7ff8000000000000u, top = std::uint64_t{1} << 63;
  CHECK(FloatOp("cvt.rzi.s32.f32", {4}, 4)({nan}) == 0);
  CHECK(FloatOp("cvt.rzi.u32.f32", {4}, 4)({of(-1.0f)}) == 0);
  CHECK(FloatOp("cvt.rzi.s32.f32", {4}, 4)({of(3e9f)}) == 0x7fffffff);
  CHECK(FloatOp("cvt.rzi.s32.f32", {4}, 4)({of(-3e9f)}) == 0x80000000);
  CHECK(FloatOp("cvt.rzi.s64.f32", {4}, 8)({nan}) == top);
  CHECK(FloatOp("cvt.rzi.u64.f32", {4}, 8)({nan}) == top);
  CHECK(FloatOp("cvt.rzi.s32.f64", {8}, 4)({nan64}) == 0x80000000);
  CHECK(FloatOp("cvt.rzi.u32.f64", {8}, 4)({nan64}) == 0x80000000);
  CHECK(FloatOp("cvt.rni.s32.f32", {4}, 4)({of(2.5f)}) == 2);
  CHECK(FloatOp("cvt.rpi.s32.f32", {4}, 4)({1}) == 1);
  CHECK(FloatOp("cvt.rpi.ftz.s32.f32", {4}, 4)({1}) == 0);
  CHECK(FloatOp("cvt.rmi.s64.f64", {8}, 8)({of(-0.5)}) == ~std::uint64_t{0});
  CHECK(FloatOp("cvt.rzi.u64.f64", {8}, 8)({of(1e30)}) == ~std::uint64_t{0});
}

TEST_CASE("float to float: whole numbers, saturation, flushing, NaNs", "[cvt]") {
  CHECK(FloatOp("cvt.rni.f32.f32", {4}, 4)({of(-2.5f)}) == of(-2.0f));
  CHECK(FloatOp("cvt.rmi.f32.f32", {4}, 4)({of(-0.25f)}) == of(-1.0f));
  CHECK(FloatOp("cvt.rpi.f64.f64", {8}, 8)({of(-0.25)}) == of(-0.0));
  CHECK(FloatOp("cvt.rzi.f16.f16", {2}, 2)({0x3e00}) == 0x3c00);
  CHECK(FloatOp("cvt.sat.f32.f32", {4}, 4)({of(1.5f)}) == of(1.0f));
  CHECK(FloatOp("cvt.sat.f32.f32", {4}, 4)({0x7fc00000}) == 0);
  CHECK(FloatOp("cvt.rn.sat.f16.f32", {4}, 2)({of(-1.0f)}) == 0);
  CHECK(FloatOp("cvt.ftz.f32.f32", {4}, 4)({0x80000001}) == 0x80000000);
  CHECK(FloatOp("cvt.rn.ftz.f32.f64", {8}, 4)({of(1e-40)}) == 0);
  CHECK(FloatOp("cvt.rn.f32.f64", {8}, 4)({of(-0x1.fffffep-127)}) == 0x80800000);
  CHECK(FloatOp("cvt.rn.ftz.f32.f64", {8}, 4)({of(-0x1.fffffep-127)}) == 0x80000000);
  CHECK(FloatOp("cvt.rn.ftz.f32.f64", {8}, 4)({of(-0x1.ffffffffp-127)}) == 0x80800000);
  CHECK(FloatOp("cvt.rz.ftz.f32.f64", {8}, 4)({of(-0x1.ffffffffp-127)}) == 0x80000000);
  CHECK(FloatOp("cvt.f32.f32", {4}, 4)({0xff812345}) == 0xff812345);
  CHECK(FloatOp("cvt.f64.f32", {4}, 8)({0xffc12345}) == 0xfff82468a0000000u);
  CHECK(FloatOp("cvt.rn.f32.f64", {8}, 4)({0xfff190ae35cb7f2bu}) == 0xffcc8571);
  CHECK(FloatOp("cvt.f32.f16", {2}, 4)({0xfe01}) == 0x7fffffff);
  CHECK(FloatOp("cvt.f32.bf16", {2}, 4)({0xffc1}) == 0xffc10000);
  CHECK(FloatOp("cvt.rn.bf16.f32", {4}, 2)({0xffc12345}) == 0x7fff);
}

TEST_CASE("cvt to two halves puts the first operand on top", "[cvt]") {
  CHECK(FloatOp("cvt.rn.f16x2.f32", {4, 4}, 4)({of(1.0f), of(2.0f)}) == 0x3c004000);
  CHECK(FloatOp("cvt.rz.bf16x2.f32", {4, 4}, 4)({0x3f80ffff, of(2.0f)}) == 0x3f804000);
  CHECK(FloatOp("cvt.rn.relu.f16x2.f32", {4, 4}, 4)({of(-1.0f), 0x7fc00000}) == 0x00007fff);
  CHECK(FloatOp("cvt.rn.satfinite.f16.f32", {4}, 2)({of(1e9f)}) == 0x7bff);
  CHECK(FloatOp("cvt.rn.satfinite.bf16x2.f32", {4, 4}, 4)({0xff800000, 0x7f7fffff}) == 0xff7f7f7f);
}

TEST_CASE("cvt to tf32 keeps 10 bits of fraction", "[cvt]") {
  CHECK(FloatOp("cvt.rna.tf32.f32", {4}, 4)({0x3f801000}) == 0x3f802000);
  CHECK(FloatOp("cvt.rn.tf32.f32", {4}, 4)({0x3f801000}) == 0x3f800000);
  CHECK(FloatOp("cvt.rz.relu.tf32.f32", {4}, 4)({0xbf801000}) == 0);
  CHECK(FloatOp("cvt.rna.tf32.f32", {4}, 4)({0x7f7fffff}) == 0x7f800000);
  CHECK(FloatOp("cvt.rna.satfinite.tf32.f32", {4}, 4)({0x7f7fffff}) == 0x7f7fe000);
}

TEST_CASE("cvt to and from 8-bit floats", "[cvt]") {
  FloatOp e4m3("cvt.rn.satfinite.e4m3x2.f32", {4, 4}, 2),
      e5m2("cvt.rn.satfinite.e5m2x2.f32", {4, 4}, 2);
  CHECK(e4m3({of(1.0f), of(-448.0f)}) == 0x38fe);
  CHECK(e4m3({of(1000.0f), 0x7fc00000}) == 0x7e7f);
  CHECK(e4m3({of(464.0f), of(0.001953125f)}) == 0x7e01);
  CHECK(e5m2({of(1.0f), 0xff800000}) == 0x3cfb);
  CHECK(FloatOp("cvt.rn.satfinite.relu.e5m2x2.f16x2", {4}, 2)({0x3c00bc00}) == 0x3c00);
  CHECK_THROWS(FloatOp("cvt.rn.e4m3x2.f32", {4, 4}, 2));
  // Every 8-bit number survives the way to f16 and back; the two NaNs of e4m3 come out as one.
  for (const char* type : {"e4m3x2", "e5m2x2"}) {
    FloatOp up(std::string("cvt.rn.f16x2.") + type, {2}, 4);
    FloatOp down(std::string("cvt.rn.satfinite.") + type + ".f16x2", {4}, 2);
    int wrong = 0;
    for (unsigned b = 0; b < 256; ++b) {
      const bool four = type[1] == '4';
      const unsigned magnitude = b & 0x7f;
      if (four ? magnitude == 0x7f : magnitude >= 0x7c)
        continue;  // NaN; infinity becomes the largest number
      wrong += (down({up({b << 8 | 0x38u})}) >> 8) != b;
    }
    CAPTURE(type);
    CHECK(wrong == 0);
  }
}

TEST_CASE("cvt.pack saturates two numbers and shifts the third operand up", "[cvt_pack]") {
  CHECK(FloatOp("cvt.pack.sat.s16.s32", {4, 4}, 4)({40000, static_cast<std::uint32_t>(-40000)}) ==
        0x7fff8000);
  CHECK(FloatOp("cvt.pack.sat.u16.s32", {4, 4}, 4)({70000, static_cast<std::uint32_t>(-1)}) ==
        0xffff0000);
  CHECK(FloatOp("cvt.pack.sat.u8.s32.b32", {4, 4, 4}, 4)({300, 7, 0x1234abcd}) == 0xabcdff07);
  CHECK(FloatOp("cvt.pack.sat.s8.s32.b32", {4, 4, 4},
                4)({static_cast<std::uint32_t>(-300), 300, 0}) == 0x0000807f);
  CHECK_THROWS(FloatOp("cvt.pack.s16.s32", {4, 4}, 4));
}
