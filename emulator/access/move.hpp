// SPDX-License-Identifier: MIT
// Loads and stores are the same in two directions. A handler per space finds the stretch of memory that
// the lanes are expected in; one body per type moves between it and the registers. Whatever these do not
// cover goes to the checked path.
//
// A direction D (bind_load.cpp, bind_store.cpp) says
//   D::checked                       the checked path
//   D::registers<R, N>(w, in)        the registers of the elements, as lane arrays
//   D::spread, run, own, any         lanes all over a stretch, side by side in it, each in its own part of it, or any
//                                    of the first two; false: not all of them fit
//   D::param<T>(p, stride, mask, v)  a parameter in the frame
//   D::done(w)                       memory that others can see was reached
//
// Long because all of it is inlined into the handlers of loads and stores.
#pragma once

#include <type_traits>

#include "access/load_store.hpp"

namespace emu::exec::move {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// ---- bodies: handlers jump to them, so that they are compiled once for all spaces

template <class D, class M, class R, int N, class A>
[[gnu::noinline]] void spread(Warp& w, const Instr& in, LaneMask mask, A lo, A size,
                              std::byte* host) {
  const auto r = D::template registers<R, N>(w, in);
  const A* a = w.lanes<A>(in.src[0]);
  if (!D::template spread<M, R, N, A>(r, a, A(in.imm), {lo, size, host}, mask))
    return D::checked(w, in, mask);
  D::done(w);
}

template <class D, class M, class R, int N, class A>
[[gnu::noinline]] void between(Warp& w, const Instr& in, LaneMask mask, A lo, A size,
                               std::byte* host) {
  const A* a = w.lanes<A>(in.src[0]);
  if (!side_by_side<sizeof(M) * N>(a, mask))
    return spread<D, M, R, N, A>(w, in, mask, lo, size, host);
  const auto r = D::template registers<R, N>(w, in);
  if (!D::template run<M, R, N, A>(r, a[0] + A(in.imm), {lo, size, host}))
    return D::checked(w, in, mask);
  D::done(w);
}

template <class D, class T, class A>
[[gnu::noinline]] void own(Warp& w, const Instr& in, LaneMask mask, A lo) {
  const A* a = w.lanes<A>(in.src[0]);
  const auto r = D::template registers<T, 1>(w, in);
  if (!D::template own<T, A>(r[0], a, A(in.imm), local_stretch<A>(w, lo), mask))
    D::checked(w, in, mask);
}

// ---- handlers

template <class D, class M, class R, int N>
void global(Warp& w, const Instr& in, LaneMask mask) {
  if (!valid(*in.site)) [[unlikely]]
    return D::checked(w, in, mask);
  const Stretch<u64> s = site_stretch(*in.site);
  between<D, M, R, N, u64>(w, in, mask, s.lo, s.size, s.host);
}

template <class D, class M, class R, int N, class A>
void shared(Warp& w, const Instr& in, LaneMask mask) {
  const Stretch<A> s = shared_stretch<A>(w, 0);
  between<D, M, R, N, A>(w, in, mask, s.lo, s.size, s.host);
}

template <class D, class T, class A>
void local(Warp& w, const Instr& in, LaneMask mask) {
  own<D, T, A>(w, in, mask, 0);
}

template <class D, class M, class R, int N>
void generic(Warp& w, const Instr& in, LaneMask mask) {
  const u64 window = window_of(w, in, mask);
  if constexpr (N == 1) {
    if (window == memory::kLocalWindow) return own<D, R, u64>(w, in, mask, window);
  }
  const Stretch<u64> s = window_stretch(w, in, window);
  between<D, M, R, N, u64>(w, in, mask, s.lo, s.size, s.host);
}

// A parameter or result of a function, in the frame.
template <class D, class T, class V>
EMU_INLINE bool try_frame_param(Warp& w, const Instr& in, LaneMask mask, V* v) {
  const u64 stride = w.frame->code->param_bytes;
  if (!fits_params<T>(in, stride)) return false;
  D::template param<T>(w.frame->params.data() + in.imm, stride, mask, v);
  return true;
}

template <class D, class T>
void frame_param(Warp& w, const Instr& in, LaneMask mask) {
  const auto r = D::template registers<T, 1>(w, in);
  if (!try_frame_param<D, T>(w, in, mask, r[0])) D::checked(w, in, mask);
}

// ---- elements narrower than their registers: moved as they are, in any space

template <class D, class M, class V>
[[gnu::noinline]] bool narrow(Warp& w, const Instr& in, LaneMask mask, V* v) {
  const AddressSpec& where = static_cast<const MemorySpec*>(in.extra)->where;
  if (where.param_symbol) return try_frame_param<D, M>(w, in, mask, v);
  bool moved = false;
  if (where.base_bytes == 4) {
    const u32* a = w.lanes<u32>(in.src[0]);
    if (where.space == ptx::Space::Local)
      return D::template own<M, u32>(v, a, u32(in.imm), local_stretch<u32>(w, 0), mask);
    moved = D::template any<M, u32>(v, a, u32(in.imm), shared_stretch<u32>(w, 0), mask);
  } else {
    const u64* a = w.lanes<u64>(in.src[0]);
    const u64 window = where.space == ptx::Space::Generic ? window_of(w, in, mask) : 0;
    if (where.space == ptx::Space::Local || window == memory::kLocalWindow)
      return D::template own<M, u64>(v, a, u64(in.imm), local_stretch<u64>(w, window), mask);
    const Stretch<u64> s = where.space == ptx::Space::Shared ? shared_stretch<u64>(w, 0)
                                                             : window_stretch(w, in, window);
    moved = D::template any<M, u64>(v, a, u64(in.imm), s, mask);
  }
  if (moved) D::done(w);
  return moved;
}

// ---- picking

template <class D, class R>
HandlerBySpace whole_registers() {
  return {.global = global<D, R, R, 1>,
          .generic = generic<D, R, R, 1>,
          .shared = shared<D, R, R, 1, u64>,
          .shared32 = shared<D, R, R, 1, u32>,
          .local = local<D, R, u64>,
          .local32 = local<D, R, u32>,
          .frame_param = frame_param<D, R>};
}

template <class D, class M, class R, int N>
HandlerBySpace vectors() {
  return {.global = global<D, M, R, N>,
          .generic = generic<D, M, R, N>,
          .shared = shared<D, M, R, N, u64>,
          .shared32 = shared<D, M, R, N, u32>};
}

// D::scalars<M, R>(): the handlers for single elements.
template <class D>
Handler pick(const Shape& shape, const AddressSpec& where) {
  const HandlerBySpace handlers =
      shape.elements == 1
          ? for_types(shape, []<class M, class R>() { return D::template scalars<M, R>(); })
          : for_vector_types(shape,
                             []<class M, class R, int N>() { return vectors<D, M, R, N>(); });
  const Handler found = handlers.of(where);
  return found ? found : D::checked;
}

}  // namespace emu::exec::move
