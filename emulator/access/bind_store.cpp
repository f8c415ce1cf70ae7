// SPDX-License-Identifier: MIT
// st. A handler per space finds the stretch of memory that the lanes are expected in; one body per
// type stores to it. Whatever these do not cover goes to store_checked. Of several lanes that write
// one address the highest wins: the manual leaves it open, we keep it the same on every run.
#include <algorithm>
#include <type_traits>

#include "access/load_store.hpp"

namespace emu::exec {
namespace {

using ptx::Space;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// What other warps can see has changed: whoever spins on it looks again.
EMU_INLINE void changed(Warp& w) { ++w.block->grid->memory_changes; }

// ---- bodies: handlers jump to them, so that they are compiled once for all spaces

template <class M, class R, int N, class A>
[[gnu::noinline]] void store_spread(Warp& w, const Instr& in, LaneMask mask, A lo, A size,
                                    std::byte* host) {
  const auto v = registers_of<const R, N>(w, in, in.src[1]);
  const A* a = w.lanes<A>(in.src[0]);
  if (!try_store_spread<M, R, N, A>(v, a, A(in.imm), {lo, size, host}, mask))
    return store_checked(w, in, mask);
  changed(w);
}

template <class M, class R, int N, class A>
[[gnu::noinline]] void store_to(Warp& w, const Instr& in, LaneMask mask, A lo, A size,
                                std::byte* host) {
  const A* a = w.lanes<A>(in.src[0]);
  if (!side_by_side<sizeof(M) * N>(a, mask))
    return store_spread<M, R, N, A>(w, in, mask, lo, size, host);
  const auto v = registers_of<const R, N>(w, in, in.src[1]);
  if (!try_store_run<M, R, N, A>(v, a[0] + A(in.imm), {lo, size, host}))
    return store_checked(w, in, mask);
  changed(w);
}

template <class T, class A>
[[gnu::noinline]] void store_own(Warp& w, const Instr& in, LaneMask mask, A lo) {
  const A* a = w.lanes<A>(in.src[0]);
  if (!try_store_own<T, A>(w.lanes<T>(in.src[1]), a, A(in.imm), local_stretch<A>(w, lo), mask))
    store_checked(w, in, mask);
}

// ---- handlers

template <class M, class R, int N>
void store_global(Warp& w, const Instr& in, LaneMask mask) {
  if (!valid(*in.site)) [[unlikely]]
    return store_checked(w, in, mask);
  const Stretch<u64> s = site_stretch(*in.site);
  store_to<M, R, N, u64>(w, in, mask, s.lo, s.size, s.host);
}

template <class M, class R, int N, class A>
void store_shared(Warp& w, const Instr& in, LaneMask mask) {
  const Stretch<A> s = shared_stretch<A>(w, 0);
  store_to<M, R, N, A>(w, in, mask, s.lo, s.size, s.host);
}

template <class T, class A>
void store_local(Warp& w, const Instr& in, LaneMask mask) {
  store_own<T, A>(w, in, mask, 0);
}

template <class M, class R, int N>
void store_generic(Warp& w, const Instr& in, LaneMask mask) {
  const u64 window = window_of(w, in, mask);
  if constexpr (N == 1) {
    if (window == memory::kLocalWindow) return store_own<R, u64>(w, in, mask, window);
  }
  const Stretch<u64> s = window_stretch(w, in, window);
  store_to<M, R, N, u64>(w, in, mask, s.lo, s.size, s.host);
}

template <class T>
EMU_INLINE bool try_store_frame_param(Warp& w, const Instr& in, LaneMask mask, const T* v) {
  const u64 stride = w.frame->code->param_bytes;
  if (!fits_params<T>(in, stride)) return false;
  std::byte* p = w.frame->params.data() + in.imm;
  for_lanes(mask, [&](int i) { std::memcpy(p + u64(i) * stride, &v[i], sizeof v[i]); });
  return true;
}

template <class T>
void store_frame_param(Warp& w, const Instr& in, LaneMask mask) {
  if (!try_store_frame_param<T>(w, in, mask, w.lanes<T>(in.src[1]))) store_checked(w, in, mask);
}

// ---- elements narrower than their registers: cut off, then put into any space as they are

template <class M>
[[gnu::noinline]] bool put(Warp& w, const Instr& in, LaneMask mask, const M* v) {
  const AddressSpec& where = static_cast<const MemorySpec*>(in.extra)->where;
  if (where.param_symbol) return try_store_frame_param<M>(w, in, mask, v);
  bool done = false;
  if (where.base_bytes == 4) {
    const u32* a = w.lanes<u32>(in.src[0]);
    if (where.space == Space::Local)
      return try_store_own<M, u32>(v, a, u32(in.imm), local_stretch<u32>(w, 0), mask);
    done = try_store<M, u32>(v, a, u32(in.imm), shared_stretch<u32>(w, 0), mask);
  } else {
    const u64* a = w.lanes<u64>(in.src[0]);
    const u64 window = where.space == Space::Generic ? window_of(w, in, mask) : 0;
    if (where.space == Space::Local || window == memory::kLocalWindow)
      return try_store_own<M, u64>(v, a, u64(in.imm), local_stretch<u64>(w, window), mask);
    const Stretch<u64> s =
        where.space == Space::Shared ? shared_stretch<u64>(w, 0) : window_stretch(w, in, window);
    done = try_store<M, u64>(v, a, u64(in.imm), s, mask);
  }
  if (done) changed(w);
  return done;
}

template <class M, class R>
void store_cut(Warp& w, const Instr& in, LaneMask mask) {
  M element[kLanes];
  const R* v = w.lanes<R>(in.src[1]);
  for_lanes(mask, [&](int i) { element[i] = static_cast<M>(v[i]); });
  if (!put(w, in, mask, element)) store_checked(w, in, mask);
}

// ---- picking

template <class M, class R>
HandlerBySpace scalar_store() {
  if constexpr (sizeof(M) < sizeof(R)) {
    HandlerBySpace handlers = HandlerBySpace::all(store_cut<std::make_unsigned_t<M>, R>);
    handlers.kernel_param = nullptr;
    return handlers;
  } else {
    return {.global = store_global<R, R, 1>,
            .generic = store_generic<R, R, 1>,
            .shared = store_shared<R, R, 1, u64>,
            .shared32 = store_shared<R, R, 1, u32>,
            .local = store_local<R, u64>,
            .local32 = store_local<R, u32>,
            .frame_param = store_frame_param<R>};
  }
}

template <class M, class R, int N>
HandlerBySpace vector_store() {
  return {.global = store_global<M, R, N>,
          .generic = store_generic<M, R, N>,
          .shared = store_shared<M, R, N, u64>,
          .shared32 = store_shared<M, R, N, u32>};
}

Handler pick(const Shape& shape, const AddressSpec& where) {
  const HandlerBySpace handlers =
      shape.elements == 1
          ? for_types(shape, []<class M, class R>() { return scalar_store<M, R>(); })
          : for_vector_types(shape,
                             []<class M, class R, int N>() { return vector_store<M, R, N>(); });
  const Handler found = handlers.of(where);
  return found ? found : store_checked;
}

Ref store_source(Binder& b, const ptx::Operand& op, ptx::Type type) {
  switch (b.width(op)) {
    case 2:
      return b.source(op, ptx::Type::B16);
    case 4:
      return b.source(op, ptx::Type::B32);
    case 8:
      return b.source(op, ptx::Type::B64);
    case 16:
      return b.source(op, ptx::Type::B128);
    default:
      return b.source(op, type);  // a constant takes the type of the store
  }
}
}  // namespace

void bind_st(Binder& b, Instr& out) {
  const Elements elements = elements_of(b.operand(1));
  Shape shape = shape_of(b, elements, b.type());
  shape.sign = false;  // a store cuts off, nothing is extended
  const MemorySpec* spec = bind_memory(b, out, b.operand(0), shape, Use::Write);
  // A constant beside registers must be as wide as they are.
  const ptx::Type same_width = shape.register_bytes == std::max(shape.element_bytes, 2u) ? b.type()
                               : shape.register_bytes == 4 ? ptx::Type::B32
                                                           : ptx::Type::B64;
  if (shape.elements == 1) {
    out.src[1] = store_source(b, elements[0], b.type());
  } else {
    Ref* list = b.new_list(elements.count);
    for (std::size_t i = 0; i < elements.count; ++i)
      list[i] = store_source(b, elements[i], same_width);
    out.list = list;
  }
  out.fn = pick(shape, spec->where);
}

}  // namespace emu::exec
