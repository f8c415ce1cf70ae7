// SPDX-License-Identifier: MIT
// Binders of the approximate functions: ex2, lg2, sin, cos, tanh, rsqrt, and the .approx forms of
// rcp and div.
#include "bind/bind_approx.hpp"

#include "bind/elementwise.hpp"
#include "semantics/approx.hpp"

namespace emu::exec {
namespace {

using namespace semantics;
using ptx::Type;

// The functions on f32, as classes for the lane-wise handlers.
struct Ex2 {
  static float of(float x) { return ex2(x); }
};
struct Lg2 {
  static float of(float x) { return lg2(x); }
};
struct Sin {
  static float of(float x) { return sin_cos(x, 0); }
};
struct Cos {
  static float of(float x) { return sin_cos(x, 1); }
};
struct Tanh {
  static float of(float x) { return tanh_f32(x); }
};
struct Rsqrt {
  static float of(float x) { return rsqrt_f32(x); }
};
struct Rcp {
  static float of(float x) { return 1.0f / x; }
};

template <class F, bool kFtz>
struct ApproxF32 {
  float operator()(float x) const { return finish<kFtz, false>(F::of(flush_if<kFtz>(x))); }
};

template <class F>
Handler approx_f32(const Binder& b) {
  return b.has("ftz") ? &unary<float, float, ApproxF32<F, true>>
                      : &unary<float, float, ApproxF32<F, false>>;
}

// A half function: computed as f32, rounded to the half format.
template <class F, class H, bool kFtz>
struct ApproxHalf {
  std::uint16_t operator()(std::uint16_t x) const {
    return H::store(finish<kFtz, false>(F::of(flush_if<kFtz>(H::load(x)))));
  }
};
template <class Op>
struct Both {
  std::uint32_t operator()(std::uint32_t x) const {
    const Op op;
    return op(static_cast<std::uint16_t>(x)) |
           static_cast<std::uint32_t>(op(static_cast<std::uint16_t>(x >> 16))) << 16;
  }
};

template <class F, bool kFtzBF16>
void bind_half(Binder& b, Instr& out) {
  using A = ApproxHalf<F, F16, false>;
  using B = ApproxHalf<F, BF16, kFtzBF16>;
  Handler fn = nullptr;
  switch (b.type()) {
    case Type::F16:
      fn = &unary<std::uint16_t, std::uint16_t, A>;
      break;
    case Type::F16x2:
      fn = &unary<std::uint32_t, std::uint32_t, Both<A>>;
      break;
    case Type::BF16:
      fn = &unary<std::uint16_t, std::uint16_t, B>;
      break;
    case Type::BF16x2:
      fn = &unary<std::uint32_t, std::uint32_t, Both<B>>;
      break;
    default:
      break;
  }
  bind_lanewise(b, out, fn, {b.type()});
}

template <bool kFtz>
struct DivApprox {
  float operator()(float a, float b) const {
    return finish<kFtz, false>(div_approx<kFtz>(flush_if<kFtz>(a), flush_if<kFtz>(b)));
  }
};

struct RcpApproxF64 {
  double operator()(double x) const { return rcp_approx_f64(x); }
};
struct RsqrtApproxF64 {
  double operator()(double x) const { return rsqrt_approx_f64(x); }
};
struct RsqrtF64 {
  double operator()(double x) const { return rsqrt_f64(x); }
};

}  // namespace

Handler approx_div_handler(const Binder& b) {
  if (b.type() != Type::F32) return nullptr;
  if (b.has("full")) {
    return b.has("ftz") ? &binary<float, float, float, DivF32<true>>
                        : &binary<float, float, float, DivF32<false>>;
  }
  return b.has("ftz") ? &binary<float, float, float, DivApprox<true>>
                      : &binary<float, float, float, DivApprox<false>>;
}

Handler approx_rcp_handler(const Binder& b) {
  if (b.type() == Type::F32) return approx_f32<Rcp>(b);
  if (!b.has("ftz")) b.unsupported("rcp.approx.f64 needs .ftz");
  return &unary<double, double, RcpApproxF64>;
}

void bind_rsqrt(Binder& b, Instr& out) {
  Handler fn = approx_f32<Rsqrt>(b);
  if (b.type() == Type::F64) {
    fn = b.has("ftz") ? &unary<double, double, RsqrtApproxF64> : &unary<double, double, RsqrtF64>;
  }
  bind_lanewise(b, out, fn, {b.type()});
}
void bind_sin(Binder& b, Instr& out) { bind_lanewise(b, out, approx_f32<Sin>(b), {b.type()}); }
void bind_cos(Binder& b, Instr& out) { bind_lanewise(b, out, approx_f32<Cos>(b), {b.type()}); }
void bind_lg2(Binder& b, Instr& out) { bind_lanewise(b, out, approx_f32<Lg2>(b), {b.type()}); }
void bind_ex2(Binder& b, Instr& out) { bind_lanewise(b, out, approx_f32<Ex2>(b), {b.type()}); }
void bind_tanh(Binder& b, Instr& out) { bind_lanewise(b, out, approx_f32<Tanh>(b), {b.type()}); }
void bind_tanh_half(Binder& b, Instr& out) { bind_half<Tanh, false>(b, out); }
void bind_ex2_half(Binder& b, Instr& out) { bind_half<Ex2, true>(b, out); }

}  // namespace emu::exec
