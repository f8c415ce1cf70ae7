// SPDX-License-Identifier: MIT
// Extended precision (PTX 9.7.2): add, sub and mad with carry. Warp::carry holds CC.CF, a bit per
// lane. After a subtraction it is the complement of the borrow, as on the hardware: the 128-bit
// division that nvcc emits reads it with addc.
#include "bind/elementwise.hpp"
#include "semantics/integer.hpp"

namespace emu::exec {
namespace {

using ptx::Type;
namespace sem = semantics;

// In how far an instruction takes part in the carry.
enum Carry : unsigned { kNone = 0, kIn = 1, kOut = 2 };

struct AddRule {
  static constexpr LaneMask kNoCarry = 0;
  template <class T>
  static T value(T a, T b, T carry) {
    return sem::add_carry(a, b, carry);
  }
  template <class T>
  static bool out(T a, T b, T carry) {
    return sem::carry_out(a, b, carry);
  }
};
struct SubRule {
  static constexpr LaneMask kNoCarry = kAllLanes;
  template <class T>
  static T value(T a, T b, T carry) {
    return sem::sub_borrow(a, b, static_cast<T>(1 - carry));
  }
  template <class T>
  static bool out(T a, T b, T carry) {
    return !sem::borrow_out(a, b, static_cast<T>(1 - carry));
  }
};

// d = a + b or a - b on unsigned T, where left(i), right(i) give the operands. The carries are
// collected before the results are written: d may be one of the operands.
template <class T, class Rule, unsigned kCarry, class L, class R>
inline void with_carry(Warp& w, const Instr& in, LaneMask mask, L left, R right) {
  const LaneMask carry = (kCarry & kIn) != 0 ? w.carry : Rule::kNoCarry;
  const auto carry_in = [=](int i) { return static_cast<T>(carry >> i & 1); };
  LaneMask carries = 0;
  if constexpr ((kCarry & kOut) != 0) {
    carries =
        collect(mask, [&](int i) { return Rule::template out<T>(left(i), right(i), carry_in(i)); });
  }
  T* const d = w.lanes<T>(in.dst);
  for_lanes(mask, [&](int i) { d[i] = Rule::template value<T>(left(i), right(i), carry_in(i)); });
  if constexpr ((kCarry & kOut) != 0) w.carry = (w.carry & ~mask) | carries;
}

template <class T, class Rule, unsigned kCarry>
void add_sub(Warp& w, const Instr& in, LaneMask mask) {
  const T* const a = w.lanes<T>(in.src[0]);
  const T* const b = w.lanes<T>(in.src[1]);
  with_carry<T, Rule, kCarry>(
      w, in, mask, [a](int i) { return a[i]; }, [b](int i) { return b[i]; });
}

// S is the type of the product's factors, kHigh its half.
template <class S, bool kHigh, unsigned kCarry>
void multiply_add(Warp& w, const Instr& in, LaneMask mask) {
  using T = std::make_unsigned_t<S>;
  const T* const a = w.lanes<T>(in.src[0]);
  const T* const b = w.lanes<T>(in.src[1]);
  const T* const c = w.lanes<T>(in.src[2]);
  alignas(64) T product[kLanes];
  for_lanes(mask, [&](int i) {
    const S x = static_cast<S>(a[i]), y = static_cast<S>(b[i]);
    product[i] = static_cast<T>(kHigh ? sem::mul_hi<S>(x, y) : sem::mul_lo<S>(x, y));
  });
  with_carry<T, AddRule, kCarry>(
      w, in, mask, [&](int i) { return product[i]; }, [c](int i) { return c[i]; });
}

template <class Rule>
void bind_add_sub(Binder& b, Instr& out, bool in) {
  const bool cc = b.has("cc");
  const Handler fn = pick_width<4, 8>(b.type(), [&]<class T>() -> Handler {
    if (!in) return &add_sub<T, Rule, kOut>;
    return cc ? &add_sub<T, Rule, kIn | kOut> : &add_sub<T, Rule, kIn>;
  });
  bind_lanewise(b, out, fn, {b.type(), b.type()});
}

template <class S, bool kHigh>
Handler mad_of(bool in, bool cc) {
  if (!in) return &multiply_add<S, kHigh, kOut>;
  return cc ? &multiply_add<S, kHigh, kIn | kOut> : &multiply_add<S, kHigh, kIn>;
}

void bind_mad_carry(Binder& b, Instr& out, bool in) {
  if (b.has("lo") == b.has("hi")) b.unsupported("needs one of .lo, .hi");
  const bool cc = b.has("cc");
  const Type type = b.type();
  const Handler fn =
      b.has("hi") ? pick<Type::U32, Type::S32, Type::U64, Type::S64>(
                        type, [&]<Type K>() { return mad_of<Native<K>, true>(in, cc); })
                  : pick_width<4, 8>(type, [&]<class T>() { return mad_of<T, false>(in, cc); });
  bind_lanewise(b, out, fn, {type, type, type});
}

}  // namespace

void bind_add_cc(Binder& b, Instr& out) { bind_add_sub<AddRule>(b, out, false); }
void bind_addc(Binder& b, Instr& out) { bind_add_sub<AddRule>(b, out, true); }
void bind_sub_cc(Binder& b, Instr& out) { bind_add_sub<SubRule>(b, out, false); }
void bind_subc(Binder& b, Instr& out) { bind_add_sub<SubRule>(b, out, true); }
void bind_mad_cc(Binder& b, Instr& out) { bind_mad_carry(b, out, false); }
void bind_madc(Binder& b, Instr& out) { bind_mad_carry(b, out, true); }

}  // namespace emu::exec
