// SPDX-License-Identifier: MIT
// f16 and bf16 arithmetic of PTX on 16-bit patterns, rounded once to nearest even. NaN results are
// 0x7fff.
//
// Conversions are written without branches, so that loops over lanes vectorise, and use no
// half-precision support of the host.
//
// Long because what an instruction computes is inlined into its handler.
#pragma once

#include <bit>
#include <cstdint>

#include "semantics/float.hpp"

namespace emu::exec::semantics {

inline constexpr std::uint16_t kNanHalf = 0x7fff;

// Exact; a NaN keeps its sign and payload.
constexpr float f16_to_f32(std::uint16_t h) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(h & 0x7fffu) << 13;
  // 2^112 moves the exponent from bias 15 to bias 127, subnormals included.
  const std::uint32_t scaled =
      bits_of(std::bit_cast<float>(magnitude) * std::bit_cast<float>(0x77800000u));
  const std::uint32_t r =
      choose<std::uint32_t>(magnitude >= 0x0f800000u, 0x7f800000u | magnitude, scaled);
  return std::bit_cast<float>(r | static_cast<std::uint32_t>(h & 0x8000u) << 16);
}

// Nearest even; any NaN gives 0x7fff.
constexpr std::uint16_t f32_to_f16(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // Below 2^-14: adding 0.5 leaves the rounded subnormal in the low bits.
  const bool tiny = magnitude < 0x38800000u;
  const float kept = std::bit_cast<float>(choose<std::uint32_t>(tiny, magnitude, 0u));
  const std::uint32_t small = bits_of(kept + 0.5f) - 0x3f000000u;
  const std::uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  std::uint32_t r = choose<std::uint32_t>(tiny, small, normal);
  r = choose<std::uint32_t>(magnitude >= 0x47800000u, 0x7c00u, r) | ((bits >> 16) & 0x8000u);
  return static_cast<std::uint16_t>(choose<std::uint32_t>(magnitude > 0x7f800000u, kNanHalf, r));
}

constexpr float bf16_to_f32(std::uint16_t h) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(h) << 16);
}

constexpr std::uint16_t f32_to_bf16(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t r = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return static_cast<std::uint16_t>(
      choose<std::uint32_t>((bits & 0x7fffffffu) > 0x7f800000u, kNanHalf, r));
}

// A double as the float that rounds to the same f16 or bf16: cut to 24 bits, the last one set if
// anything was lost (round to odd). Right for every magnitude: a float has at least two bits more
// than either format, subnormals included.
constexpr float to_odd_f32(double x) {
  const std::uint64_t bits = bits_of(x);
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 32) & 0x80000000u;
  const std::uint64_t magnitude = bits & 0x7fffffffffffffffu;
  if (magnitude >= 0x47f0000000000000u)
      [[unlikely]] {  // 2^128 and above (the largest float is odd), infinity, NaN
    const std::uint32_t m = magnitude > 0x7ff0000000000000u    ? kNanF32
                            : magnitude == 0x7ff0000000000000u ? 0x7f800000u
                                                               : 0x7f7fffffu;
    return std::bit_cast<float>(sign | m);
  }
  if (magnitude < 0x3810000000000000u) [[unlikely]] {  // below 2^-126
    const int shift = 29 + 897 - static_cast<int>(magnitude >> 52);
    if (shift > 53) return std::bit_cast<float>(sign | (magnitude != 0 ? 1u : 0u));
    const std::uint64_t significand = (magnitude & 0xfffffffffffffu) | 0x10000000000000u;
    const std::uint64_t lost = significand & ((std::uint64_t{1} << shift) - 1);
    return std::bit_cast<float>(sign | static_cast<std::uint32_t>(significand >> shift) |
                                (lost != 0 ? 1u : 0u));
  }
  const std::uint32_t kept = static_cast<std::uint32_t>((magnitude - 0x3800000000000000u) >> 29);
  return std::bit_cast<float>(sign | kept | ((magnitude & 0x1fffffffu) != 0 ? 1u : 0u));
}

// How a half format is read and written. The sum of two halves may be rounded to float first: 24 >=
// 2 * 11 + 2 bits make the second rounding harmless.
struct F16 {
  static constexpr std::uint16_t kOne = 0x3c00, kInfinity = 0x7c00;
  static constexpr float load(std::uint16_t h) { return f16_to_f32(h); }
  static constexpr std::uint16_t store(float x) { return f32_to_f16(x); }
};
struct BF16 {
  static constexpr std::uint16_t kOne = 0x3f80, kInfinity = 0x7f80;
  static constexpr float load(std::uint16_t h) { return bf16_to_f32(h); }
  static constexpr std::uint16_t store(float x) { return f32_to_bf16(x); }
};

template <class H>
struct AddHalf {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const {
    return H::store(H::load(a) + H::load(b));
  }
};
template <class H>
struct SubHalf {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const {
    return H::store(H::load(a) - H::load(b));
  }
};
template <class H>
struct MulHalf;
template <>
struct MulHalf<F16> {  // 22 bits, exponents far inside float: exact
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const {
    return f32_to_f16(wide(a, b));
  }
  static float wide(std::uint16_t a, std::uint16_t b) { return f16_to_f32(a) * f16_to_f32(b); }
};
template <>
struct MulHalf<BF16> {  // exact in double only: a float product may be subnormal
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const {
    return f32_to_bf16(
        to_odd_f32(static_cast<double>(bf16_to_f32(a)) * static_cast<double>(bf16_to_f32(b))));
  }
};
template <class H>
struct FmaHalf;
template <>
struct FmaHalf<F16> {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b, std::uint16_t c) const {
    return f32_to_f16(wide(a, b, c));
  }
  static float wide(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    return add_to_odd(f16_to_f32(a) * f16_to_f32(b), f16_to_f32(c));
  }
};
template <>
struct FmaHalf<BF16> {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b, std::uint16_t c) const {
    const double p = static_cast<double>(bf16_to_f32(a)) * static_cast<double>(bf16_to_f32(b));
    return f32_to_bf16(to_odd_f32(add_to_odd(p, static_cast<double>(bf16_to_f32(c)))));
  }
};

// A zero of its sign for a subnormal f16.
constexpr std::uint16_t flush_f16(std::uint16_t h) {
  return choose<std::uint16_t>((h & 0x7c00u) == 0, h & 0x8000u, h);
}

// x to 11 bits, as if exponents had no end: is it below 2^-14? (See flush_tiny in float.hpp.)
constexpr bool tiny_f16(float x) { return (f32_to_f16(x * 0x1p10f) & 0x7fffu) < 0x2c00u; }

// [0, 1]; NaN and -0 give +0.
template <class H>
constexpr std::uint16_t saturate_half(std::uint16_t h) {
  const bool nan = (h & 0x7fffu) > H::kInfinity;
  const std::uint16_t r = (h & 0x8000u) != 0 || nan ? std::uint16_t{0} : h;
  return r > H::kOne ? H::kOne : r;
}

// Negative gives +0; NaN the canonical one.
template <class H>
constexpr std::uint16_t relu_half(std::uint16_t h) {
  if ((h & 0x7fffu) > H::kInfinity) return kNanHalf;
  return (h & 0x8000u) != 0 ? std::uint16_t{0} : h;
}

}  // namespace emu::exec::semantics
