// SPDX-License-Identifier: MIT
// f32 and f64 arithmetic of PTX in round-to-nearest, to the bit: NaN results, .ftz, .sat, min and
// max. Pure functions that a loop over lanes can vectorise. Directed rounding is in rounding.hpp.
//
// NaN, as an H200 does it: an f32 operation delivers 0x7fffffff, whatever went in. An f64 operation
// hands on a NaN operand, made quiet (the order of precedence stands at each operation); without
// one (inf - inf) it delivers 0xfff8000000000000.
//
// Long because what an instruction computes is inlined into its handler.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace emu::exec::semantics {

inline constexpr std::uint32_t kNanF32 = 0x7fffffffu;
inline constexpr std::uint64_t kNanF64 = 0xfff8000000000000u;
inline constexpr std::uint64_t kQuietF64 = 0x0008000000000000u;

constexpr std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
constexpr std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

// condition ? a : b by masks, for loops that must vectorise. `choose` never becomes a branch,
// though a floating-point operation feeds a side; `select` is shorter where only integers do.
template <class U>
constexpr U choose(bool condition, U a, U b) {
  const U mask = static_cast<U>(U{0} - static_cast<U>(condition));
  return static_cast<U>(b ^ ((a ^ b) & mask));
}
template <class U>
constexpr U select(bool condition, U a, U b) {
  const U mask = condition ? static_cast<U>(~U{0}) : U{0};
  return static_cast<U>((a & mask) | (b & static_cast<U>(~mask)));
}

// A subnormal becomes a zero of its sign.
constexpr float flush(float x) {
  const std::uint32_t b = bits_of(x);
  return std::bit_cast<float>(select<std::uint32_t>((b & 0x7f800000u) == 0, b & 0x80000000u, b));
}
template <bool kFtz>
constexpr float flush_if(float x) {
  if constexpr (kFtz) return flush(x);
  return x;
}

constexpr float canonical(float x) { return x == x ? x : std::bit_cast<float>(kNanF32); }

// [0, 1], NaN gives +0, and so does -0.
template <class T>
constexpr T saturate(T x) {
  return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
}

// What an f32 operation delivers: r is the IEEE result.
template <bool kFtz, bool kSat>
constexpr float finish(float r) {
  r = flush_if<kFtz>(r);
  if constexpr (kSat) return saturate(r);
  return canonical(r);
}

// .ftz looks at the result rounded as if exponents had no end (IEEE 754: tiny after rounding). One
// below 2^-126 is flushed, though it would become 2^-126 with the few bits of a subnormal; one that
// 24 bits round up to 2^-126 is not. `below` says so; only looked at where it matters.
template <bool kFtz>
constexpr float flush_tiny(float r, bool below) {
  if constexpr (kFtz) {
    const bool edge = (bits_of(r) & 0x7fffffffu) == 0x00800000u;
    return std::bit_cast<float>(
        select<std::uint32_t>(edge & below, bits_of(r) & 0x80000000u, bits_of(r)));
  }
  return r;
}
inline constexpr double kMinNormalF32 = 0x1p-126;
// x to 24 bits in the rounding mode that is set, far from the subnormals: is it below 2^-126?
constexpr bool tiny_rounded(double x) {
  return __builtin_fabsf(static_cast<float>(x * 0x1p64)) < 0x1p-62f;
}
constexpr bool tiny_product(float a, float b) {
  return tiny_rounded(static_cast<double>(a) * static_cast<double>(b));
}
// Between 24-bit numbers no quotient lies so near below 2^-126 that it rounds up to it.
constexpr bool tiny_quotient(float a, float b) {
  return __builtin_fabs(static_cast<double>(a)) <
         __builtin_fabs(static_cast<double>(b)) * kMinNormalF32;
}

// p + c rounded to odd in T, float or double (infinities and NaN pass): rounding on to a shorter
// format is then right. Round to nearest must be set.
template <class T>
constexpr T add_to_odd(T p, T c) {
  using U = decltype(bits_of(p));
  const T s = p + c;
  const T rest = s - c;
  const T error = (p - rest) + (c - (s - rest));  // exact: s + error = p + c
  const U bits = bits_of(s);
  const bool inexact = (error < T(0)) | (error > T(0));  // no for a NaN
  const bool below = (error > T(0)) != (s > T(0));       // |exact| < |s|
  return std::bit_cast<T>(choose<U>(inexact, (bits - static_cast<U>(below)) | U{1}, bits));
}
constexpr double sum_of_product(float a, float b, float c) {
  return add_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c));
}

constexpr double quiet(double x) { return std::bit_cast<double>(bits_of(x) | kQuietF64); }

constexpr bool is_nan_f64(std::uint64_t bits) {
  return (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}

// What an f64 operation delivers: r is the IEEE result, the operands stand in the order in which
// their NaNs win.
template <class... Operands>
constexpr double finish(double r, Operands... operands) {
  const std::uint64_t list[] = {bits_of(operands)...};
  std::uint64_t nan = kNanF64;
  for (int i = sizeof...(operands) - 1; i >= 0; --i)
    nan = select(is_nan_f64(list[i]), list[i] | kQuietF64, nan);
  return std::bit_cast<double>(select(is_nan_f64(bits_of(r)), nan, bits_of(r)));
}

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float root(float a) { return __builtin_sqrtf(a); }
inline double root(double a) { return __builtin_sqrt(a); }

// ---- round to nearest even. One class per operation, for bind/elementwise.hpp.

template <bool kFtz, bool kSat>
struct AddF32 {
  float operator()(float a, float b) const {
    return finish<kFtz, kSat>(flush_if<kFtz>(a) + flush_if<kFtz>(b));
  }
};
template <bool kFtz, bool kSat>
struct SubF32 {
  float operator()(float a, float b) const {
    return finish<kFtz, kSat>(flush_if<kFtz>(a) - flush_if<kFtz>(b));
  }
};
// kEdge = false leaves out what only results of magnitude 2^-126 need: right for all others.
template <bool kFtz, bool kSat, bool kEdge = true>
struct MulF32 {
  float operator()(float a, float b) const {
    const float r = flush_if<kFtz>(a) * flush_if<kFtz>(b);
    return finish<kFtz, kSat>(flush_tiny < kFtz && kEdge > (r, tiny_product(a, b)));
  }
};
template <bool kFtz, bool kSat, bool kEdge = true>
struct FmaF32 {
  float operator()(float a, float b, float c) const {
    const float x = flush_if<kFtz>(a), y = flush_if<kFtz>(b), z = flush_if<kFtz>(c);
    return finish<kFtz, kSat>(flush_tiny < kFtz &&
                              kEdge > (fused(x, y, z), tiny_rounded(sum_of_product(x, y, z))));
  }
};
template <bool kFtz, bool kEdge = true>
struct DivF32 {
  float operator()(float a, float b) const {
    const float r = flush_if<kFtz>(a) / flush_if<kFtz>(b);
    return finish<kFtz, false>(flush_tiny < kFtz && kEdge > (r, tiny_quotient(a, b)));
  }
};
template <bool kFtz>
struct RcpF32 {
  float operator()(float a) const { return finish<kFtz, false>(1.0f / flush_if<kFtz>(a)); }
};
template <bool kFtz>
struct SqrtF32 {
  float operator()(float a) const { return finish<kFtz, false>(root(flush_if<kFtz>(a))); }
};

// abs and neg are additions on the hardware: an f32 NaN becomes the canonical one, an f64 NaN keeps
// its sign.
template <bool kFtz>
struct AbsF32 {
  float operator()(float a) const {
    return finish<kFtz, false>(std::bit_cast<float>(bits_of(a) & 0x7fffffffu));
  }
};
template <bool kFtz>
struct NegF32 {
  float operator()(float a) const {
    return finish<kFtz, false>(std::bit_cast<float>(bits_of(a) ^ 0x80000000u));
  }
};
struct AbsF64 {
  double operator()(double a) const {
    return a == a ? std::bit_cast<double>(bits_of(a) & 0x7fffffffffffffffu) : quiet(a);
  }
};
struct NegF64 {
  double operator()(double a) const {
    return a == a ? std::bit_cast<double>(bits_of(a) ^ 0x8000000000000000u) : quiet(a);
  }
};

struct AddF64 {
  double operator()(double a, double b) const { return finish(a + b, b, a); }
};
struct SubF64 {
  double operator()(double a, double b) const { return finish(a - b, b, a); }
};
struct MulF64 {
  double operator()(double a, double b) const { return finish(a * b, b, a); }
};
struct FmaF64 {
  double operator()(double a, double b, double c) const { return finish(fused(a, b, c), b, c, a); }
};
struct DivF64 {
  double operator()(double a, double b) const { return finish(a / b, a, b); }
};
struct RcpF64 {
  double operator()(double a) const { return finish(1.0 / a, a); }
};
struct SqrtF64 {
  double operator()(double a) const { return finish(root(a), a); }
};

}  // namespace emu::exec::semantics
