// SPDX-License-Identifier: MIT
// Binders of the f32 and f64 instructions of PTX 9.7.3, but for the approximate functions
// (bind_approx.cpp).
#include "bind/bind_float.hpp"

#include <cstring>

#include "bind/bind_approx.hpp"
#include "bind/elementwise.hpp"
#include "semantics/float.hpp"
#include "semantics/minmax.hpp"

namespace emu::exec {
namespace {

using namespace semantics;
using ptx::Type;

// A full warp by Fast, unless some result is one that only Exact gets right. Both give the same for
// all others.
template <class T, class Fast, class Exact, class Suspect, std::size_t kSources>
void checked(Warp& w, const Instr& in, LaneMask mask) {
  using L = Lane<T>;
  L* const d = w.lanes<L>(in.dst);
  const L* const a = w.lanes<L>(in.src[0]);
  const L* const b = w.lanes<L>(in.src[1]);
  const L* const c = w.lanes<L>(in.src[kSources == 3 ? 2 : 0]);
  const auto one = [&](const auto& op, int i) {
    const T x = from_lane<T>(a[i]), y = from_lane<T>(b[i]);
    if constexpr (kSources == 3) {
      return to_lane<T>(op(x, y, from_lane<T>(c[i])));
    } else {
      return to_lane<T>(op(x, y));
    }
  };
  if (mask == kAllLanes) [[likely]] {
    L result[kLanes];  // d may be one of the sources
    L suspects = 0;
    for (int i = 0; i < kLanes; ++i) {
      result[i] = one(Fast{}, i);
      suspects |= static_cast<L>(Suspect::holds(result[i]));
    }
    if (suspects == 0) [[likely]] {
      std::memcpy(d, result, sizeof(result));
      return;
    }
  }
  for (LaneMask m = mask; m; m &= m - 1) d[first_lane(m)] = one(Exact{}, first_lane(m));
}

struct NanF64 {
  static bool holds(std::uint64_t r) { return is_nan_f64(r); }
};
struct EdgeF32 {
  static bool holds(std::uint32_t r) { return (r & 0x7fffffffu) == 0x00800000u; }
};

struct PlainAdd {
  double operator()(double a, double b) const { return a + b; }
};
struct PlainSub {
  double operator()(double a, double b) const { return a - b; }
};
struct PlainMul {
  double operator()(double a, double b) const { return a * b; }
};
struct PlainDiv {
  double operator()(double a, double b) const { return a / b; }
};
struct PlainFma {
  double operator()(double a, double b, double c) const { return fused(a, b, c); }
};
template <class Plain, class Exact, std::size_t kSources = 2>
Handler arithmetic_f64() {
  return &checked<double, Plain, Exact, NanF64, kSources>;
}

// One of four instantiations by .ftz and .sat.
template <template <bool, bool> class Op>
Handler sum_f32(const Binder& b) {
  if (b.has("ftz")) {
    return b.has("sat") ? &binary<float, float, float, Op<true, true>>
                        : &binary<float, float, float, Op<true, false>>;
  }
  return b.has("sat") ? &binary<float, float, float, Op<false, true>>
                      : &binary<float, float, float, Op<false, false>>;
}
Handler mul_f32(const Binder& b) {
  if (b.has("ftz")) {
    return b.has("sat")
               ? &checked<float, MulF32<true, true, false>, MulF32<true, true>, EdgeF32, 2>
               : &checked<float, MulF32<true, false, false>, MulF32<true, false>, EdgeF32, 2>;
  }
  return b.has("sat") ? &binary<float, float, float, MulF32<false, true>>
                      : &binary<float, float, float, MulF32<false, false>>;
}
Handler fma_f32(const Binder& b) {
  if (b.has("ftz")) {
    return b.has("sat")
               ? &checked<float, FmaF32<true, true, false>, FmaF32<true, true>, EdgeF32, 3>
               : &checked<float, FmaF32<true, false, false>, FmaF32<true, false>, EdgeF32, 3>;
  }
  return b.has("sat") ? &ternary<float, float, float, float, FmaF32<false, true>>
                      : &ternary<float, float, float, float, FmaF32<false, false>>;
}
Handler div_f32(const Binder& b) {
  return b.has("ftz") ? &checked<float, DivF32<true, false>, DivF32<true>, EdgeF32, 2>
                      : &binary<float, float, float, DivF32<false>>;
}
template <template <bool> class Op>
Handler unary_f32(const Binder& b) {
  return b.has("ftz") ? &unary<float, float, Op<true>> : &unary<float, float, Op<false>>;
}

bool nearest(const Binder& b) { return rounding_of(b) == Round::NearestEven; }

void check_f64(const Binder& b) {
  if (b.type() != Type::F64) return;
  if (b.has("sat")) b.unsupported(".sat goes with f32 only");
  if (b.has("ftz")) b.unsupported(".ftz goes with f32 only");
}

// Binds `op` with n sources: to `fast` in round-to-nearest, to the directed handler else.
void bind_arithmetic(Binder& b, Instr& out, FloatOp op, std::size_t n, Handler fast) {
  check_f64(b);
  const Type t = b.type();
  const Handler fn = nearest(b) ? fast : rounded_handler(op, t, b, out);
  if (n == 1) {
    bind_lanewise(b, out, fn, {t});
    out.src[1] = out.src[0];
  } else if (n == 2) {
    bind_lanewise(b, out, fn, {t, t});
  } else {
    bind_lanewise(b, out, fn, {t, t, t});
    return;
  }
  out.src[2] = out.src[0];
}

// min and max with any modifiers; the plain f32 forms have their own.
template <class Bits, class U>
struct MinMaxOp {
  MinMaxRule rule;
  explicit MinMaxOp(const Instr& in)
      : rule{(in.flags & 1) != 0, (in.flags & 2) != 0, (in.flags & 4) != 0, (in.flags & 8) != 0} {}
  U operator()(U a, U b) const { return Bits::min_max(a, b, rule); }
  U operator()(U a, U b, U c) const { return Bits::min_max(Bits::min_max(a, b, rule), c, rule); }
};
template <bool kMax, class Bits, class U>
struct PlainMinMax {
  U operator()(U a, U b) const { return Bits::min_max(a, b, MinMaxRule{.max = kMax}); }
};

template <bool kMax>
void bind_min_max(Binder& b, Instr& out) {
  using F = MinMaxOp<BitsF32, std::uint32_t>;
  using D = MinMaxOp<BitsF64, std::uint64_t>;
  check_f64(b);
  const Type t = b.type();
  const bool f32 = t == Type::F32;
  out.flags = static_cast<std::uint8_t>((kMax ? 1 : 0) | (b.has("NaN") ? 2 : 0) |
                                        (b.has("xorsign") ? 4 : 0) | (b.has("ftz") ? 8 : 0));
  if (b.operand_count() == 4) {
    if (!f32) b.unsupported("three inputs go with f32 only");
    bind_lanewise(b, out, &ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, F>,
                  {t, t, t});
    return;
  }
  Handler fn = f32 ? &binary<std::uint32_t, std::uint32_t, std::uint32_t, F>
                   : &binary<std::uint64_t, std::uint64_t, std::uint64_t, D>;
  if ((out.flags & ~1) == 0) {
    fn = f32 ? &binary<std::uint32_t, std::uint32_t, std::uint32_t,
                       PlainMinMax<kMax, BitsF32, std::uint32_t>>
             : &binary<std::uint64_t, std::uint64_t, std::uint64_t,
                       PlainMinMax<kMax, BitsF64, std::uint64_t>>;
  }
  bind_lanewise(b, out, fn, {t, t});
}

template <class U>
struct CopySign {
  U operator()(U a, U b) const {
    constexpr U sign = U{1} << (8 * sizeof(U) - 1);
    return (b & ~sign) | (a & sign);
  }
};

enum class Class : std::uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };

template <class Bits, class U>
void test_class(Warp& w, const Instr& in, LaneMask mask) {
  const U* const a = w.lanes<U>(in.src[0]);
  const auto holds = [&](int i) {
    switch (static_cast<Class>(in.flags)) {
      case Class::Finite:
        return Bits::finite(a[i]);
      case Class::Infinite:
        return Bits::infinite(a[i]);
      case Class::Number:
        return !Bits::is_nan(a[i]);
      case Class::NotANumber:
        return Bits::is_nan(a[i]);
      case Class::Normal:
        return Bits::normal(a[i]);
      case Class::Subnormal:
        return Bits::subnormal(a[i]);
    }
    return false;
  };
  w.set_predicate(in.dst, mask, collect(mask, holds));
}

Class class_of(const Binder& b) {
  if (b.has("finite")) return Class::Finite;
  if (b.has("infinite")) return Class::Infinite;
  if (b.has("number")) return Class::Number;
  if (b.has("notanumber")) return Class::NotANumber;
  if (b.has("normal")) return Class::Normal;
  if (!b.has("subnormal")) b.unsupported("testp needs a class of numbers to test for");
  return Class::Subnormal;
}

}  // namespace

void bind_add_float(Binder& b, Instr& out) {
  bind_arithmetic(b, out, FloatOp::Add, 2,
                  b.type() == Type::F32 ? sum_f32<AddF32>(b) : arithmetic_f64<PlainAdd, AddF64>());
}
void bind_sub_float(Binder& b, Instr& out) {
  bind_arithmetic(b, out, FloatOp::Sub, 2,
                  b.type() == Type::F32 ? sum_f32<SubF32>(b) : arithmetic_f64<PlainSub, SubF64>());
}
void bind_mul_float(Binder& b, Instr& out) {
  bind_arithmetic(b, out, FloatOp::Mul, 2,
                  b.type() == Type::F32 ? mul_f32(b) : arithmetic_f64<PlainMul, MulF64>());
}
void bind_fma_float(Binder& b, Instr& out) {
  bind_arithmetic(b, out, FloatOp::Fma, 3,
                  b.type() == Type::F32 ? fma_f32(b) : arithmetic_f64<PlainFma, FmaF64, 3>());
}
void bind_mad_float(Binder& b, Instr& out) { bind_fma_float(b, out); }

void bind_div_float(Binder& b, Instr& out) {
  if (b.has("approx") || b.has("full")) {
    bind_lanewise(b, out, approx_div_handler(b), {b.type(), b.type()});
    return;
  }
  bind_arithmetic(b, out, FloatOp::Div, 2,
                  b.type() == Type::F32 ? div_f32(b) : arithmetic_f64<PlainDiv, DivF64>());
}
void bind_rcp(Binder& b, Instr& out) {
  if (b.has("approx")) {
    bind_lanewise(b, out, approx_rcp_handler(b), {b.type()});
    return;
  }
  bind_arithmetic(b, out, FloatOp::Rcp, 1,
                  b.type() == Type::F32 ? unary_f32<RcpF32>(b) : &unary<double, double, RcpF64>);
}
void bind_sqrt(Binder& b, Instr& out) {
  // .approx of a square root: the rounded one is within its error.
  if (b.has("approx") && b.type() == Type::F64) b.unsupported("sqrt.approx goes with f32 only");
  bind_arithmetic(b, out, FloatOp::Sqrt, 1,
                  b.type() == Type::F32 ? unary_f32<SqrtF32>(b) : &unary<double, double, SqrtF64>);
}

void bind_abs_float(Binder& b, Instr& out) {
  check_f64(b);
  bind_lanewise(b, out,
                b.type() == Type::F32 ? unary_f32<AbsF32>(b) : &unary<double, double, AbsF64>,
                {b.type()});
}
void bind_neg_float(Binder& b, Instr& out) {
  check_f64(b);
  bind_lanewise(b, out,
                b.type() == Type::F32 ? unary_f32<NegF32>(b) : &unary<double, double, NegF64>,
                {b.type()});
}
void bind_min_float(Binder& b, Instr& out) { bind_min_max<false>(b, out); }
void bind_max_float(Binder& b, Instr& out) { bind_min_max<true>(b, out); }

void bind_copysign(Binder& b, Instr& out) {
  const Handler fn = pick_width<4, 8>(
      b.type(), []<class U>() -> Handler { return &binary<U, U, U, CopySign<U>>; });
  bind_lanewise(b, out, fn, {b.type(), b.type()});
}

void bind_testp(Binder& b, Instr& out) {
  out.flags = static_cast<std::uint8_t>(class_of(b));
  bind_lanewise(b, out,
                b.type() == Type::F32 ? &test_class<BitsF32, std::uint32_t>
                                      : &test_class<BitsF64, std::uint64_t>,
                {b.type()});
}

}  // namespace emu::exec
