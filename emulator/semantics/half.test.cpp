// SPDX-License-Identifier: MIT
// f16 and bf16 arithmetic against exact integer arithmetic.
#include "semantics/half.hpp"

#include <cstdint>
#include <random>

#include "semantics/exact_reference.test.hpp"
#include "semantics/float_op.test.hpp"
#include "semantics/formats.hpp"
#include "support/catch.hpp"

using namespace emu::exec::semantics;
using emu::exec::fake::FloatOp;

namespace {

// a * b + c with the special values that exact_reference leaves out.
std::uint16_t reference_fma(std::uint16_t a, std::uint16_t b, std::uint16_t c, const Format& f) {
  const Number x = decode(a, f), y = decode(b, f), z = decode(c, f);
  using Kind = Number::Kind;
  if (x.kind == Kind::NaN || y.kind == Kind::NaN || z.kind == Kind::NaN) return 0x7fff;
  const bool sign = x.sign != y.sign;
  if (x.kind == Kind::Infinity || y.kind == Kind::Infinity) {
    if (x.kind == Kind::Zero || y.kind == Kind::Zero) return 0x7fff;
    if (z.kind == Kind::Infinity && z.sign != sign) return 0x7fff;
    return static_cast<std::uint16_t>((sign ? 0x8000 : 0) | f.infinity());
  }
  if (z.kind == Kind::Infinity) return c;
  return static_cast<std::uint16_t>(emu::exec::reference::fma(a, b, c, f, Round::NearestEven));
}

template <class H>
void check_against_reference(const Format& f, std::uint16_t one) {
  std::mt19937 random(5);
  const std::uint16_t edges[] = {0,
                                 0x8000,
                                 1,
                                 0x8001,
                                 0x7f,
                                 0x80,
                                 0x81,
                                 0x3ff,
                                 0x400,
                                 0x8400,
                                 one,
                                 static_cast<std::uint16_t>(one | 0x8000),
                                 static_cast<std::uint16_t>(one + 1),
                                 static_cast<std::uint16_t>(one - 1),
                                 static_cast<std::uint16_t>(f.max_norm()),
                                 static_cast<std::uint16_t>(f.max_norm() | 0x8000),
                                 static_cast<std::uint16_t>(f.infinity()),
                                 static_cast<std::uint16_t>(f.infinity() | 0x8000),
                                 0x7fff,
                                 0xffff};
  int wrong = 0;
  const auto check = [&](std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    const std::uint16_t minus_zero = 0x8000;
    wrong += FmaHalf<H>{}(a, b, c) != reference_fma(a, b, c, f);
    wrong += AddHalf<H>{}(a, c) != reference_fma(a, one, c, f);
    wrong += SubHalf<H>{}(a, c) != reference_fma(c, static_cast<std::uint16_t>(one | 0x8000), a, f);
    // a * b + (-0) is the product with its own sign of zero.
    wrong += MulHalf<H>{}(a, b) !=
             reference_fma(a, b, ((a ^ b) & 0x8000) != 0 ? minus_zero : std::uint16_t{0}, f);
  };
  for (const auto a : edges) {
    for (const auto b : edges) {
      for (const auto c : edges) check(a, b, c);
    }
  }
  for (int i = 0; i < 300000; ++i) {
    const auto bits = static_cast<std::uint64_t>(random()) << 32 | random();
    check(static_cast<std::uint16_t>(bits), static_cast<std::uint16_t>(bits >> 16),
          static_cast<std::uint16_t>(bits >> 32));
  }
  // Ties of the product with an addend far below: what breaks a sum that is rounded twice.
  for (int i = 0; i < 100000; ++i) {
    const auto bits = random();
    const auto a = static_cast<std::uint16_t>(one + (bits & f.fraction_mask()));
    const auto b = static_cast<std::uint16_t>(one + ((bits >> 10) & f.fraction_mask()));
    const auto c = static_cast<std::uint16_t>((bits >> 20 & 0x7ff) | (bits >> 31 << 15));
    check(a, b, c);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("f16 add, sub, mul and fma round once, as exact arithmetic says") {
  check_against_reference<F16>(kF16, 0x3c00);
}
TEST_CASE("bf16 add, sub, mul and fma round once, as exact arithmetic says") {
  check_against_reference<BF16>(kBF16, 0x3f80);
}

TEST_CASE("every f16 and bf16 goes to f32 and back") {
  int wrong = 0;
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto x = static_cast<std::uint16_t>(h);
    const bool nan16 = (h & 0x7fff) > 0x7c00, nanb = (h & 0x7fff) > 0x7f80;
    wrong += f32_to_f16(f16_to_f32(x)) != (nan16 ? 0x7fff : x);
    wrong += f32_to_bf16(bf16_to_f32(x)) != (nanb ? 0x7fff : x);
    if (!nan16)
      wrong += bits_of(f16_to_f32(x)) != encode(decode(x, kF16), kF32, Round::NearestEven);
  }
  CHECK(wrong == 0);
}

TEST_CASE("f32 to f16 and bf16 rounds to nearest even for every kind of float") {
  int wrong = 0;
  for (std::uint64_t b = 0; b < 0x100000000u; b += 977) {
    const auto bits = static_cast<std::uint32_t>(b);
    const float x = std::bit_cast<float>(bits);
    wrong += f32_to_f16(x) != encode(decode(bits, kF32), kF16, Round::NearestEven);
    wrong += f32_to_bf16(x) != encode(decode(bits, kF32), kBF16, Round::NearestEven);
  }
  CHECK(wrong == 0);
}

TEST_CASE("half instructions work on one and on two halves",
          "[add_half][sub_half][mul_half][fma_half]") {
  CHECK(FloatOp("add.f16", {2, 2}, 2)({0x3c00, 0x3c00}) == 0x4000);
  CHECK(FloatOp("add.rn.f16x2", {4, 4}, 4)({0x3c004000, 0x3c003c00}) == 0x40004200);
  CHECK(FloatOp("sub.bf16", {2, 2}, 2)({0x4000, 0x3f80}) == 0x3f80);
  CHECK(FloatOp("mul.bf16x2", {4, 4}, 4)({0x40003f80, 0x40404000}) == 0x40c04000);
  CHECK(FloatOp("fma.rn.f16x2", {4, 4, 4}, 4)({0x40003c00, 0x42003c00, 0x3c000000}) == 0x47003c00);
  CHECK(FloatOp("fma.rn.bf16", {2, 2, 2}, 2)({0x4000, 0x4000, 0x3f80}) == 0x40a0);
}

TEST_CASE("add.sat.f16 clamps to [0, 1] and makes +0 of NaN", "[add_half]") {
  FloatOp op("add.sat.f16", {2, 2}, 2);
  CHECK(op({0x4000, 0x3c00}) == 0x3c00);
  CHECK(op({0xc000, 0x3c00}) == 0);
  CHECK(op({0x7e00, 0x3c00}) == 0);
}
TEST_CASE("add, mul and fma.ftz.f16 flush subnormals to a zero of their sign",
          "[add_half][mul_half][fma_half]") {
  CHECK(FloatOp("add.ftz.f16", {2, 2}, 2)({0x8001, 0x8000}) == 0x8000);
  CHECK(FloatOp("mul.ftz.f16", {2, 2}, 2)({0x0400, 0xb800}) == 0x8000);
  CHECK(FloatOp("mul.f16", {2, 2}, 2)({0x0400, 0xb800}) == 0x8200);
  // Just below 2^-14: a subnormal has too few bits for it, which does not make it 2^-14.
  CHECK(FloatOp("mul.f16", {2, 2}, 2)({0x8400, 0x3bff}) == 0x8400);
  CHECK(FloatOp("mul.ftz.f16", {2, 2}, 2)({0x8400, 0x3bff}) == 0x8000);
  CHECK(FloatOp("fma.rn.ftz.f16", {2, 2, 2}, 2)({0x0400, 0x3bff, 0}) == 0);
  CHECK(FloatOp("fma.rn.ftz.f16", {2, 2, 2}, 2)({0x0400, 0x0400, 0x8400}) == 0x8400);
}
TEST_CASE("fma.relu makes +0 of a negative result and keeps NaN", "[fma_half]") {
  FloatOp op("fma.rn.relu.bf16", {2, 2, 2}, 2);
  CHECK(op({0x3f80, 0xbf80, 0}) == 0);
  CHECK(op({0x7f80, 0, 0}) == 0x7fff);
  CHECK(op({0x3f80, 0x3f80, 0}) == 0x3f80);
}
TEST_CASE("fma.oob is refused with a reason", "[fma_half]") {
  CHECK_THROWS(FloatOp("fma.rn.oob.f16", {2, 2, 2}, 2));
}

TEST_CASE("neg and abs of halves touch the sign; a NaN becomes 0x7fff", "[neg_half][abs_half]") {
  CHECK(FloatOp("neg.f16", {2}, 2)({0x3c00}) == 0xbc00);
  CHECK(FloatOp("neg.bf16x2", {4}, 4)({0x80003f80}) == 0x0000bf80);
  CHECK(FloatOp("abs.f16x2", {4}, 4)({0xbc00fe01}) == 0x3c007fff);
  CHECK(FloatOp("abs.bf16", {2}, 2)({0x8000}) == 0);
  CHECK(FloatOp("neg.ftz.f16", {2}, 2)({0x0001}) == 0x8000);
}

TEST_CASE("min and max of halves: -0 below +0, a number beats a NaN, .NaN does not let it",
          "[min_half][max_half]") {
  CHECK(FloatOp("min.f16", {2, 2}, 2)({0x0000, 0x8000}) == 0x8000);
  CHECK(FloatOp("max.bf16", {2, 2}, 2)({0x8000, 0x0000}) == 0x0000);
  CHECK(FloatOp("min.f16", {2, 2}, 2)({0x7e00, 0x3c00}) == 0x3c00);
  CHECK(FloatOp("max.NaN.f16x2", {4, 4}, 4)({0x7e003c00, 0x3c004000}) == 0x7fff4000);
  CHECK(FloatOp("min.xorsign.abs.bf16", {2, 2}, 2)({0xc000, 0x3f80}) == 0xbf80);
}

TEST_CASE("tanh and ex2 of halves", "[tanh_half][ex2_half]") {
  CHECK(FloatOp("tanh.approx.f16", {2}, 2)({0x7c00}) == 0x3c00);
  CHECK(FloatOp("tanh.approx.bf16x2", {4}, 4)({0x00008000}) == 0x00008000);
  CHECK(FloatOp("ex2.approx.f16", {2}, 2)({0x4000}) == 0x4400);
  CHECK(FloatOp("ex2.approx.f16x2", {4}, 4)({0xfc003c00}) == 0x00004000);
  CHECK(FloatOp("ex2.approx.ftz.bf16", {2}, 2)({0x4040}) == 0x4100);
}
