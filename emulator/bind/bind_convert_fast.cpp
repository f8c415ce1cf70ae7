// SPDX-License-Identifier: MIT
// Handlers for the conversions nvcc emits most, as loops that vectorise: integer widths, int <->
// f32/f64, f32 <-> f64, halves <-> f32, floor and its kin. Each gives the bits semantics::convert
// gives.
#include <cmath>
#include <limits>

#include "bind/bind_convert.hpp"
#include "bind/elementwise.hpp"
#include "semantics/half.hpp"

namespace emu::exec {
namespace {

using namespace semantics;
using ptx::Type;

// ---- integer to integer: to a whole register of type D

template <class D, class S>
struct Cast {
  D operator()(S x) const { return static_cast<D>(x); }
};

template <class S>
Handler widen(std::uint32_t to_bytes) {
  if (to_bytes == 2) return &unary<std::uint16_t, S, Cast<std::uint16_t, S>>;
  if (to_bytes == 4) return &unary<std::uint32_t, S, Cast<std::uint32_t, S>>;
  return &unary<std::uint64_t, S, Cast<std::uint64_t, S>>;
}

Handler integer_to_integer(const Conversion& c) {
  // Only what fills the destination's register; truncation in a wider one is left to the general
  // way.
  if (c.rule.sat || c.to_bytes * 8 != static_cast<std::uint32_t>(c.rule.to.bits)) return nullptr;
  const std::uint32_t n = c.to_bytes;
  if (c.from_bytes > 2 && c.from_bytes * 8 != static_cast<std::uint32_t>(c.rule.from.bits))
    return nullptr;
  switch (c.from) {
    case Type::U8:
      return widen<std::uint8_t>(n);
    case Type::S8:
      return widen<std::int8_t>(n);
    case Type::U16:
      return widen<std::uint16_t>(n);
    case Type::S16:
      return widen<std::int16_t>(n);
    case Type::U32:
      return widen<std::uint32_t>(n);
    case Type::S32:
      return widen<std::int32_t>(n);
    case Type::U64:
      return widen<std::uint64_t>(n);
    case Type::S64:
      return widen<std::int64_t>(n);
    default:
      return nullptr;
  }
}

// ---- integer to f32 and f64, to nearest

template <class S>
Handler integer_to(Type to) {
  if (to == Type::F32) return &unary<float, S, Cast<float, S>>;
  if (to == Type::F64) return &unary<double, S, Cast<double, S>>;
  return nullptr;
}

Handler integer_to_float(const Conversion& c) {
  if (c.rule.sat || c.rule.round != Round::NearestEven) return nullptr;
  if (c.from_bytes * 8 != static_cast<std::uint32_t>(c.rule.from.bits)) return nullptr;
  switch (c.from) {
    case Type::U16:
      return integer_to<std::uint16_t>(c.to);
    case Type::S16:
      return integer_to<std::int16_t>(c.to);
    case Type::U32:
      return integer_to<std::uint32_t>(c.to);
    case Type::S32:
      return integer_to<std::int32_t>(c.to);
    case Type::U64:
      return integer_to<std::uint64_t>(c.to);
    case Type::S64:
      return integer_to<std::int64_t>(c.to);
    default:
      return nullptr;
  }
}

// ---- f32 and f64 to whole numbers

template <Round kRound, class F>
F whole(F x) {
  if constexpr (kRound == Round::Zero) return std::trunc(x);
  if constexpr (kRound == Round::Down) return std::floor(x);
  if constexpr (kRound == Round::Up) return std::ceil(x);
  return std::nearbyint(x);
}

// NaN gives 0 unless a 64-bit type takes part, then the top bit alone.
template <Round kRound, class I, class F>
struct ToInteger {
  I operator()(F x) const {
    constexpr I low = std::numeric_limits<I>::min();
    constexpr I high = std::numeric_limits<I>::max();
    // 2^bits of the largest value: exact in F, and every float below it converts.
    constexpr F limit =
        static_cast<F>(std::uint64_t{1} << (std::numeric_limits<I>::digits - 1)) * F(2);
    constexpr bool top_bit = sizeof(I) == 8 || sizeof(F) == 8;
    constexpr I nan = top_bit ? static_cast<I>(std::uint64_t{1} << (8 * sizeof(I) - 1)) : I{0};
    const F r = whole<kRound>(x);
    if (!(r == r)) return nan;
    if (r >= limit) return high;
    if (r <= static_cast<F>(low)) return low;
    return static_cast<I>(r);
  }
};

template <class I, class F>
Handler to_integer(Round mode) {
  switch (mode) {
    case Round::NearestEven:
      return &unary<I, F, ToInteger<Round::NearestEven, I, F>>;
    case Round::Zero:
      return &unary<I, F, ToInteger<Round::Zero, I, F>>;
    case Round::Down:
      return &unary<I, F, ToInteger<Round::Down, I, F>>;
    case Round::Up:
      return &unary<I, F, ToInteger<Round::Up, I, F>>;
    default:
      return nullptr;
  }
}

template <class F>
Handler float_to_integer_of(const Conversion& c) {
  const Round mode = c.rule.round;
  // Flushing matters where a subnormal would round away from zero.
  if (c.rule.ftz_in && (mode == Round::Down || mode == Round::Up)) return nullptr;
  if (c.to_bytes * 8 != static_cast<std::uint32_t>(c.rule.to.bits)) return nullptr;
  switch (c.to) {
    case Type::U32:
      return to_integer<std::uint32_t, F>(mode);
    case Type::S32:
      return to_integer<std::int32_t, F>(mode);
    case Type::U64:
      return to_integer<std::uint64_t, F>(mode);
    case Type::S64:
      return to_integer<std::int64_t, F>(mode);
    default:
      return nullptr;
  }
}

template <Round kRound, class F>
struct ToWhole {
  F operator()(F x) const {
    const F r = whole<kRound>(x);
    if constexpr (sizeof(F) == 4) {
      return canonical(r);
    } else {
      return x == x ? r : quiet(x);
    }
  }
};

template <class F>
Handler to_whole(Round mode) {
  switch (mode) {
    case Round::NearestEven:
      return &unary<F, F, ToWhole<Round::NearestEven, F>>;
    case Round::Zero:
      return &unary<F, F, ToWhole<Round::Zero, F>>;
    case Round::Down:
      return &unary<F, F, ToWhole<Round::Down, F>>;
    case Round::Up:
      return &unary<F, F, ToWhole<Round::Up, F>>;
    default:
      return nullptr;
  }
}

// ---- between float formats. NaNs between f32 and f64 keep sign and payload and become quiet.

struct F32ToF64 {
  double operator()(float x) const {
    const std::uint64_t b = bits_of(x);
    const std::uint64_t nan = (b & 0x80000000u) << 32 | 0x7ff8000000000000u | (b & 0x7fffffu) << 29;
    return std::bit_cast<double>(
        choose((b & 0x7fffffffu) > 0x7f800000u, nan, bits_of(static_cast<double>(x))));
  }
};
struct F64ToF32 {
  float operator()(double x) const {
    const std::uint64_t b = bits_of(x);
    const std::uint32_t nan = static_cast<std::uint32_t>(b >> 32 & 0x80000000u) | 0x7fc00000u |
                              static_cast<std::uint32_t>(b >> 29 & 0x3fffffu);
    return std::bit_cast<float>(choose(is_nan_f64(b), nan, bits_of(static_cast<float>(x))));
  }
};
struct F16ToF32 {
  float operator()(std::uint16_t x) const { return canonical(f16_to_f32(x)); }
};
struct F32ToF16 {
  std::uint16_t operator()(float x) const { return f32_to_f16(x); }
};
struct BF16ToF32 {
  float operator()(std::uint16_t x) const { return bf16_to_f32(x); }
};
struct F32ToBF16 {
  std::uint16_t operator()(float x) const { return f32_to_bf16(x); }
};

Handler float_to_float(const Conversion& c) {
  if (c.rule.ftz_in || c.rule.ftz_out) return nullptr;
  if (c.rule.integral) {
    if (c.from != c.to) return nullptr;
    if (c.to == Type::F32) return to_whole<float>(c.rule.round);
    if (c.to == Type::F64) return to_whole<double>(c.rule.round);
    return nullptr;
  }
  if (c.from ==
      c.to) {  // a copy, NaNs included; f16 goes the general way, which makes them canonical
    if (c.to == Type::F32)
      return &unary<std::uint32_t, std::uint32_t, Cast<std::uint32_t, std::uint32_t>>;
    if (c.to == Type::F64)
      return &unary<std::uint64_t, std::uint64_t, Cast<std::uint64_t, std::uint64_t>>;
    return nullptr;
  }
  if (c.from == Type::F32 && c.to == Type::F64) return &unary<double, float, F32ToF64>;
  if (c.from == Type::F16 && c.to == Type::F32) return &unary<float, std::uint16_t, F16ToF32>;
  if (c.from == Type::BF16 && c.to == Type::F32) return &unary<float, std::uint16_t, BF16ToF32>;
  if (c.rule.round != Round::NearestEven) return nullptr;
  if (c.from == Type::F64 && c.to == Type::F32) return &unary<float, double, F64ToF32>;
  if (c.from == Type::F32 && c.to == Type::F16) return &unary<std::uint16_t, float, F32ToF16>;
  if (c.from == Type::F32 && c.to == Type::BF16) return &unary<std::uint16_t, float, F32ToBF16>;
  return nullptr;
}

template <class H>
struct PackTwo {
  std::uint32_t operator()(float a, float b) const {
    return static_cast<std::uint32_t>(H::store(a)) << 16 | H::store(b);
  }
};

bool plain(const ConvertRule& r) { return !r.sat && !r.satfinite && !r.relu; }

}  // namespace

Handler fast_convert(const Conversion& c) {
  if (!c.rule.from.is_float())
    return c.rule.to.is_float() ? integer_to_float(c) : integer_to_integer(c);
  if (!c.rule.to.is_float()) {
    if (c.from == Type::F32) return float_to_integer_of<float>(c);
    if (c.from == Type::F64) return float_to_integer_of<double>(c);
    return nullptr;
  }
  const bool whole_registers =
      c.from_bytes == ptx::size_of(c.from) && c.to_bytes == ptx::size_of(c.to);
  return plain(c.rule) && whole_registers ? float_to_float(c) : nullptr;
}

Handler fast_convert_pair(const Conversion& c) {
  if (!plain(c.rule) || c.rule.round != Round::NearestEven || c.rule.ftz_in) return nullptr;
  if (c.to == Type::F16x2) return &binary<std::uint32_t, float, float, PackTwo<F16>>;
  if (c.to == Type::BF16x2) return &binary<std::uint32_t, float, float, PackTwo<BF16>>;
  return nullptr;
}

}  // namespace emu::exec
