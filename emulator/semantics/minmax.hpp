// SPDX-License-Identifier: MIT
// min, max, abs, neg, copysign and testp of floating-point numbers, on their bits; the same code
// for f16, bf16, f32 and f64.
#pragma once

#include <cstdint>
#include <type_traits>

#include "semantics/float.hpp"

namespace emu::exec::semantics {

// The modifiers of min and max.
struct MinMaxRule {
  bool max = false;
  bool nan = false;      // .NaN: a NaN operand makes the result NaN
  bool xorsign = false;  // .xorsign.abs: magnitudes are compared, the sign is the exclusive or
  bool ftz = false;
};

// U holds the bits of a number of the format given by its number of fraction bits.
template <class U, int kFractionBits>
struct FloatBits {
  static constexpr int kWidth = static_cast<int>(8 * sizeof(U));
  static constexpr U kSign = static_cast<U>(U{1} << (kWidth - 1));
  static constexpr U kMagnitude = static_cast<U>(kSign - 1);
  static constexpr U kFraction = static_cast<U>((U{1} << kFractionBits) - 1);
  static constexpr U kInfinity = static_cast<U>(kMagnitude & ~kFraction);

  static constexpr U magnitude(U x) { return static_cast<U>(x & kMagnitude); }
  static constexpr bool is_nan(U x) { return magnitude(x) > kInfinity; }
  static constexpr U flush(U x) { return select<U>((x & kInfinity) == 0, x & kSign, x); }
  // Orders numbers as signed integers, -0 below +0.
  static constexpr std::make_signed_t<U> key(U x) {
    using S = std::make_signed_t<U>;
    const S s = static_cast<S>(x);
    return static_cast<S>(s ^ static_cast<S>((s >> (kWidth - 1)) & static_cast<S>(kMagnitude)));
  }

  static constexpr U min_max(U a, U b, const MinMaxRule& rule) {
    if (rule.ftz) {
      a = flush(a);
      b = flush(b);
    }
    U sign = 0;
    if (rule.xorsign) {
      sign = static_cast<U>((a ^ b) & kSign);
      a = magnitude(a);
      b = magnitude(b);
    }
    const bool nan_a = is_nan(a);
    const bool nan_b = is_nan(b);
    const bool take_a = rule.max ? key(a) > key(b) : key(a) < key(b);
    const U ordered = select<U>(take_a, a, b);
    const U some = select<U>(nan_a, b, select<U>(nan_b, a, ordered));
    const bool none = rule.nan ? (nan_a | nan_b) : (nan_a & nan_b);
    // f64 hands on its second NaN, made quiet; the others deliver the canonical one.
    const U nan = kWidth == 64 ? static_cast<U>(b | (kFraction & ~(kFraction >> 1))) : kMagnitude;
    return select<U>(none, nan, some | sign);
  }

  static constexpr bool finite(U x) { return magnitude(x) < kInfinity; }
  static constexpr bool infinite(U x) { return magnitude(x) == kInfinity; }
  // testp counts the zeros among the normal numbers.
  static constexpr bool subnormal(U x) { return magnitude(x) != 0 && magnitude(x) <= kFraction; }
  static constexpr bool normal(U x) { return finite(x) && !subnormal(x); }
};

using BitsF16 = FloatBits<std::uint16_t, 10>;
using BitsBF16 = FloatBits<std::uint16_t, 7>;
using BitsF32 = FloatBits<std::uint32_t, 23>;
using BitsF64 = FloatBits<std::uint64_t, 52>;

}  // namespace emu::exec::semantics
