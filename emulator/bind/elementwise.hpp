// SPDX-License-Identifier: MIT
// Handlers for instructions that compute each lane by itself: d[i] = op(a[i], b[i], ...).
//
// Lanes are read and written as unsigned integers of their width and converted by bit_cast: two
// operands may be the same register seen as different types. A source may be the very register of
// the result; arrays never overlap otherwise.
#pragma once

#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "bind/pick.hpp"

namespace emu::exec {

// kLaneBit[i] == 1 << i. A table, so that loops over lanes need no shift by a different amount per
// lane (SSE2 has none).
struct LaneBits {
  alignas(64) LaneMask bit[kLanes];
  constexpr LaneBits() : bit{} {
    for (int i = 0; i < kLanes; ++i) bit[i] = LaneMask{1} << i;
  }
  constexpr LaneMask operator[](int i) const { return bit[i]; }
};
inline constexpr LaneBits kLaneBit;

// An operation is a class with a const operator() on lane values: default constructible, or made
// from the Instr once per execution where it needs imm or flags.
template <class Op>
inline Op make_op(const Instr& in) {
  if constexpr (std::is_constructible_v<Op, const Instr&>) {
    return Op(in);
  } else {
    return Op{};
  }
}

// Whether an operation is so cheap that a warp with many lanes off is still best computed whole, by
// vector instructions, and the results of the others dropped. Such an operation says `static
// constexpr bool kCheap = true` and accepts any value.
template <class Op>
inline constexpr bool kCheap = requires {
  requires Op::kCheap;
};

constexpr bool more_than_four(LaneMask mask) {
  for (int i = 0; i < 4; ++i) mask &= mask - 1;
  return mask != 0;
}

// Takes over what was computed for the lanes of mask.
//
// Not inlined, so that it is compiled once for each width. A loop of its own, behind one that computes
// all lanes unconditionally. As one loop,
//   d[i] = on(i) ? one(i) : d[i]
// the compiler first computes only where the lane is on, then makes the loop free of branches again
// and, since signed arithmetic may not overflow in a lane that was not asked, turns it into unsigned
// arithmetic. GCC 12 then takes the factors of a signed high product for unsigned ones (x86-64:
// pmulhuw instead of pmulhw; mul.hi.s16, mad.hi.s16). Here nothing that computes stands under a
// condition, so there is nothing to rewrite. It also is faster for floating point, which compilers
// do not compute in lanes that were not asked.
template <class L>
[[gnu::noinline]] void keep_others(L* d, const L* computed, LaneMask mask) {
  EMU_INDEPENDENT_LANES
  for (int i = 0; i < kLanes; ++i) {
    const L fresh = computed[i], kept = d[i];
    d[i] = (mask & kLaneBit[i]) != 0 ? fresh : kept;
  }
}

// d = op(s...) for destination type D and source types S in src[0], src[1], ...
template <class Op, class D, class... S, std::size_t... kAt>
inline void lanewise(Warp& w, const Instr& in, LaneMask mask, std::index_sequence<kAt...>) {
  const Op op = make_op<Op>(in);
  Lane<D>* const d = w.lanes<Lane<D>>(in.dst);
  const std::tuple<const Lane<S>*...> src{w.lanes<Lane<S>>(in.src[kAt])...};
  const auto one = [&](int i) { return to_lane<D>(op(from_lane<S>(std::get<kAt>(src)[i])...)); };
  if (mask == kAllLanes) [[likely]] {
    EMU_INDEPENDENT_LANES
    for (int i = 0; i < kLanes; ++i) d[i] = one(i);
    return;
  }
  if constexpr (kCheap<Op>) {
    if (more_than_four(mask)) {
      Lane<D> computed[kLanes];
      EMU_INDEPENDENT_LANES
      for (int i = 0; i < kLanes; ++i) computed[i] = one(i);
      keep_others(d, computed, mask);
      return;
    }
  }
  for (LaneMask m = mask; m; m &= m - 1) d[std::countr_zero(m)] = one(std::countr_zero(m));
}

template <class D, class A, class Op>
void unary(Warp& w, const Instr& in, LaneMask mask) {
  lanewise<Op, D, A>(w, in, mask, std::make_index_sequence<1>());
}
template <class D, class A, class B, class Op>
void binary(Warp& w, const Instr& in, LaneMask mask) {
  lanewise<Op, D, A, B>(w, in, mask, std::make_index_sequence<2>());
}
template <class D, class A, class B, class C, class Op>
void ternary(Warp& w, const Instr& in, LaneMask mask) {
  lanewise<Op, D, A, B, C>(w, in, mask, std::make_index_sequence<3>());
}
template <class D, class A, class B, class C, class E, class Op>
void quaternary(Warp& w, const Instr& in, LaneMask mask) {
  lanewise<Op, D, A, B, C, E>(w, in, mask, std::make_index_sequence<4>());
}

// Bit i of the word is holds(i), for the lanes of mask (the others: 0). `holds` is also asked about
// lanes that are not in mask, so that the loop has no branch: it must be cheap and free of side
// effects.
template <class F>
inline LaneMask collect(LaneMask mask, F&& holds) {
  if ((mask & (mask - 1)) == 0) return holds(std::countr_zero(mask)) ? mask : 0;
  LaneMask word = 0;
  for (int i = 0; i < kLanes; ++i) word |= holds(i) ? kLaneBit[i] : 0;
  return word & mask;
}

// Operations from a function: Call<&semantics::div<int>>, and Cheap<&semantics::add<int>> for one
// that is cheap.
template <auto kFunction>
struct Call {
  template <class... T>
  constexpr auto operator()(T... x) const {
    return kFunction(x...);
  }
};
template <auto kFunction>
struct Cheap : Call<kFunction> {
  static constexpr bool kCheap = true;
};

}  // namespace emu::exec
