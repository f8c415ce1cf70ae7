// SPDX-License-Identifier: MIT
// ld and ldu. A handler per space finds the stretch of memory that the lanes are expected in; one
// body per type loads from it. Whatever these do not cover goes to load_checked.
//
// Orders and scopes (volatile, relaxed, acquire, .gpu ...) need nothing here: warps take turns on
// one memory, instruction by instruction, so every load sees every earlier store.
#include <type_traits>

#include "access/load_store.hpp"

namespace emu::exec {
namespace {

using ptx::Space;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// ---- bodies: handlers jump to them, so that they are compiled once for all spaces

template <class M, class R, int N, class A>
[[gnu::noinline]] void load_spread(Warp& w, const Instr& in, LaneMask mask, A lo, A size,
                                   std::byte* host) {
  const auto d = registers_of<R, N>(w, in, in.dst);
  const A* a = w.lanes<A>(in.src[0]);
  if (!try_load_spread<M, R, N, A>(d, a, A(in.imm), {lo, size, host}, mask))
    load_checked(w, in, mask);
}

template <class M, class R, int N, class A>
[[gnu::noinline]] void load_from(Warp& w, const Instr& in, LaneMask mask, A lo, A size,
                                 std::byte* host) {
  const A* a = w.lanes<A>(in.src[0]);
  if (!side_by_side<sizeof(M) * N>(a, mask))
    return load_spread<M, R, N, A>(w, in, mask, lo, size, host);
  const auto d = registers_of<R, N>(w, in, in.dst);
  if (!try_load_run<M, R, N, A>(d, a[0] + A(in.imm), {lo, size, host})) load_checked(w, in, mask);
}

template <class T, class A>
[[gnu::noinline]] void load_own(Warp& w, const Instr& in, LaneMask mask, A lo) {
  const A* a = w.lanes<A>(in.src[0]);
  if (!try_load_own<T, A>(w.lanes<T>(in.dst), a, A(in.imm), local_stretch<A>(w, lo), mask))
    load_checked(w, in, mask);
}

// ---- handlers

template <class M, class R, int N>
void load_global(Warp& w, const Instr& in, LaneMask mask) {
  if (!valid(*in.site)) [[unlikely]]
    return load_checked(w, in, mask);
  const Stretch<u64> s = site_stretch(*in.site);
  load_from<M, R, N, u64>(w, in, mask, s.lo, s.size, s.host);
}

template <class M, class R, int N, class A>
void load_shared(Warp& w, const Instr& in, LaneMask mask) {
  const Stretch<A> s = shared_stretch<A>(w, 0);
  load_from<M, R, N, A>(w, in, mask, s.lo, s.size, s.host);
}

template <class T, class A>
void load_local(Warp& w, const Instr& in, LaneMask mask) {
  load_own<T, A>(w, in, mask, 0);
}

template <class M, class R, int N>
void load_generic(Warp& w, const Instr& in, LaneMask mask) {
  const u64 window = window_of(w, in, mask);
  if constexpr (N == 1) {
    if (window == memory::kLocalWindow) return load_own<R, u64>(w, in, mask, window);
  }
  const Stretch<u64> s = window_stretch(w, in, window);
  load_from<M, R, N, u64>(w, in, mask, s.lo, s.size, s.host);
}

// A parameter of the kernel: the same for every lane, and its place was checked when it was bound
// to the launch.
template <class T>
void load_kernel_param(Warp& w, const Instr& in, LaneMask mask) {
  const auto& params = w.block->grid->params;
  if (!fits_params<T>(in, params.size())) [[unlikely]]
    return load_checked(w, in, mask);
  const T value = read_as<T>(params.data() + in.imm);
  T* d = w.lanes<T>(in.dst);
  for_lanes(mask, [&](int i) { d[i] = value; });
}

// A parameter or result of a function, in the frame.
template <class T>
void load_frame_param(Warp& w, const Instr& in, LaneMask mask) {
  const u64 stride = w.frame->code->param_bytes;
  if (!fits_params<T>(in, stride)) [[unlikely]]
    return load_checked(w, in, mask);
  const std::byte* p = w.frame->params.data() + in.imm;
  T* d = w.lanes<T>(in.dst);
  for_lanes(mask, [&](int i) { d[i] = read_as<T>(p + u64(i) * stride); });
}

// ---- elements narrower than their registers: fetched from any space as they are, then extended

template <class M>
[[gnu::noinline]] bool fetch(Warp& w, const Instr& in, LaneMask mask, M* to) {
  const AddressSpec& where = static_cast<const MemorySpec*>(in.extra)->where;
  if (where.param_symbol) {
    const auto& params = where.kernel_param ? w.block->grid->params : w.frame->params;
    const u64 room = where.kernel_param ? params.size() : w.frame->code->param_bytes;
    const u64 stride = where.kernel_param ? 0 : room;
    if (!fits_params<M>(in, room)) return false;
    const std::byte* p = params.data() + in.imm;
    for_lanes(mask, [&](int i) { to[i] = read_as<M>(p + u64(i) * stride); });
    return true;
  }
  if (where.base_bytes == 4) {
    const u32* a = w.lanes<u32>(in.src[0]);
    if (where.space == Space::Local)
      return try_load_own<M, u32>(to, a, u32(in.imm), local_stretch<u32>(w, 0), mask);
    return try_load<M, u32>(to, a, u32(in.imm), shared_stretch<u32>(w, 0), mask);
  }
  const u64* a = w.lanes<u64>(in.src[0]);
  const u64 window = where.space == Space::Generic ? window_of(w, in, mask) : 0;
  if (where.space == Space::Local || window == memory::kLocalWindow)
    return try_load_own<M, u64>(to, a, u64(in.imm), local_stretch<u64>(w, window), mask);
  const Stretch<u64> s =
      where.space == Space::Shared ? shared_stretch<u64>(w, 0) : window_stretch(w, in, window);
  return try_load<M, u64>(to, a, u64(in.imm), s, mask);
}

template <class M, class R>
void load_extended(Warp& w, const Instr& in, LaneMask mask) {
  std::make_unsigned_t<M> element[kLanes];
  if (!fetch(w, in, mask, element)) return load_checked(w, in, mask);
  R* d = w.lanes<R>(in.dst);
  for_lanes(mask, [&](int i) { d[i] = static_cast<R>(static_cast<M>(element[i])); });
}

// ---- picking

template <class M, class R>
HandlerBySpace scalar_load() {
  if constexpr (sizeof(M) < sizeof(R)) {
    return HandlerBySpace::all(load_extended<M, R>);
  } else {
    return {.global = load_global<R, R, 1>,
            .generic = load_generic<R, R, 1>,
            .shared = load_shared<R, R, 1, u64>,
            .shared32 = load_shared<R, R, 1, u32>,
            .local = load_local<R, u64>,
            .local32 = load_local<R, u32>,
            .kernel_param = load_kernel_param<R>,
            .frame_param = load_frame_param<R>};
  }
}

template <class M, class R, int N>
HandlerBySpace vector_load() {
  return {.global = load_global<M, R, N>,
          .generic = load_generic<M, R, N>,
          .shared = load_shared<M, R, N, u64>,
          .shared32 = load_shared<M, R, N, u32>};
}

Handler pick(const Shape& shape, const AddressSpec& where) {
  const HandlerBySpace handlers =
      shape.elements == 1 ? for_types(shape, []<class M, class R>() { return scalar_load<M, R>(); })
                          : for_vector_types(shape, []<class M, class R, int N>() {
                              return vector_load<M, R, N>();
                            });
  const Handler found = handlers.of(where);
  return found ? found : load_checked;
}

}  // namespace

void bind_ld(Binder& b, Instr& out) {
  const Elements elements = elements_of(b.operand(0));
  const Shape shape = shape_of(b, elements, b.type());
  const MemorySpec* spec = bind_memory(b, out, b.operand(1), shape, Use::Read);
  if (shape.elements == 1) {
    out.dst = b.dest(elements[0]);
  } else {
    Ref* list = b.new_list(elements.count);
    for (std::size_t i = 0; i < elements.count; ++i) list[i] = b.dest(elements[i]);
    out.list = list;
  }
  out.fn = pick(shape, spec->where);
}

void bind_ldu(Binder& b, Instr& out) { bind_ld(b, out); }

}  // namespace emu::exec
