// SPDX-License-Identifier: MIT
// Handlers for f32 and f64 arithmetic in the directed rounding modes. The mode is set once for all
// lanes of the warp.
#include <cfenv>

#include "bind/bind_float.hpp"
#include "bind/elementwise.hpp"
#include "semantics/rounding.hpp"

namespace emu::exec {
namespace {

using semantics::Round;

template <FloatOp kOp, class T>
T rounded(T a, T b, T c) {
  using namespace semantics;
  if constexpr (kOp == FloatOp::Add) return AddRounded::of(a, b, c);
  if constexpr (kOp == FloatOp::Sub) return SubRounded::of(a, b, c);
  if constexpr (kOp == FloatOp::Mul) return MulRounded::of(a, b, c);
  if constexpr (kOp == FloatOp::Fma) return FmaRounded::of(a, b, c);
  if constexpr (kOp == FloatOp::Div) return DivRounded::of(a, b, c);
  if constexpr (kOp == FloatOp::Rcp) return DivRounded::of(T(1), a, c);
  if constexpr (kOp == FloatOp::Sqrt) return SqrtRounded::of(a, b, c);
}

// Whether the result, rounded as if exponents had no end, is below the smallest normal number.
template <FloatOp kOp>
bool tiny(float a, float b, float c) {
  using namespace semantics;
  if constexpr (kOp == FloatOp::Mul) return tiny_product(pinned(a), b);
  if constexpr (kOp == FloatOp::Div) return tiny_quotient(a, b);
  if constexpr (kOp == FloatOp::Rcp) return tiny_quotient(1.0f, a);
  if constexpr (kOp == FloatOp::Fma) {
    double sum;
    {
      const RoundingScope scope(FE_TONEAREST);
      sum = pinned(sum_of_product(pinned(a), pinned(b), pinned(c)));
    }
    return tiny_rounded(pinned(sum));
  }
  return false;
}

template <FloatOp kOp>
float finish_f32(float a, float b, float c, bool ftz, bool sat) {
  using namespace semantics;
  if (ftz) {
    a = flush(a);
    b = flush(b);
    c = flush(c);
  }
  float r = rounded<kOp, float>(a, b, c);
  if (ftz) {
    const bool edge = (bits_of(r) & 0x7fffffffu) == 0x00800000u;
    r = flush(edge && tiny<kOp>(a, b, c) ? flush_tiny<true>(r, true) : r);
  }
  return sat ? saturate(r) : canonical(r);
}

template <FloatOp kOp>
double finish_f64(double a, double b, double c) {
  using namespace semantics;
  const double r = rounded<kOp, double>(a, b, c);
  if constexpr (kOp == FloatOp::Fma) return finish(r, b, c, a);
  if constexpr (kOp == FloatOp::Rcp || kOp == FloatOp::Sqrt) return finish(r, a);
  if constexpr (kOp == FloatOp::Div) return finish(r, a, b);
  return finish(r, b, a);
}

// Sources an operation does not have point at the first one, so that the lanes read are always
// there.
template <FloatOp kOp, class T>
void directed(Warp& w, const Instr& in, LaneMask mask) {
  const auto* const a = w.lanes<Lane<T>>(in.src[0]);
  const auto* const b = w.lanes<Lane<T>>(in.src[1]);
  const auto* const c = w.lanes<Lane<T>>(in.src[2]);
  auto* const d = w.lanes<Lane<T>>(in.dst);
  const bool ftz = (in.flags & kFlagFtz) != 0;
  const bool sat = (in.flags & kFlagSat) != 0;
  const semantics::RoundingScope scope(static_cast<int>(in.imm));
  for (LaneMask m = mask; m; m &= m - 1) {
    const int i = first_lane(m);
    const T x = from_lane<T>(a[i]), y = from_lane<T>(b[i]), z = from_lane<T>(c[i]);
    if constexpr (sizeof(T) == 4) {
      d[i] = to_lane<T>(finish_f32<kOp>(x, y, z, ftz, sat));
    } else {
      d[i] = to_lane<T>(finish_f64<kOp>(x, y, z));
    }
  }
}

template <FloatOp kOp>
Handler of_type(ptx::Type type) {
  return type == ptx::Type::F32 ? &directed<kOp, float> : &directed<kOp, double>;
}

}  // namespace

Handler rounded_handler(FloatOp op, ptx::Type type, const Binder& b, Instr& out) {
  switch (rounding_of(b)) {
    case Round::Zero:
      out.imm = FE_TOWARDZERO;
      break;
    case Round::Down:
      out.imm = FE_DOWNWARD;
      break;
    case Round::Up:
      out.imm = FE_UPWARD;
      break;
    default:
      out.imm = FE_TONEAREST;
      break;
  }
  out.flags =
      static_cast<std::uint8_t>((b.has("ftz") ? kFlagFtz : 0) | (b.has("sat") ? kFlagSat : 0));
  switch (op) {
    case FloatOp::Add:
      return of_type<FloatOp::Add>(type);
    case FloatOp::Sub:
      return of_type<FloatOp::Sub>(type);
    case FloatOp::Mul:
      return of_type<FloatOp::Mul>(type);
    case FloatOp::Fma:
      return of_type<FloatOp::Fma>(type);
    case FloatOp::Div:
      return of_type<FloatOp::Div>(type);
    case FloatOp::Rcp:
      return of_type<FloatOp::Rcp>(type);
    case FloatOp::Sqrt:
      return of_type<FloatOp::Sqrt>(type);
  }
  return nullptr;
}

}  // namespace emu::exec
