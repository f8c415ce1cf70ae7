// SPDX-License-Identifier: MIT
// st: from registers to memory. Of several lanes that write one address the highest wins: the manual
// leaves it open, we keep it the same on every run.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "access/move.hpp"

namespace emu::exec {
namespace {

using u64 = std::uint64_t;

struct Store {
  static void checked(Warp& w, const Instr& in, LaneMask mask) { store_checked(w, in, mask); }
  // What other warps can see has changed: whoever spins on it looks again.
  EMU_INLINE static void done(Warp& w) { ++w.block->grid->memory_changes; }

  template <class R, int N>
  EMU_INLINE static std::array<const R*, N> registers(const Warp& w, const Instr& in) {
    return registers_of<const R, N>(w, in, in.src[1]);
  }
  template <class M, class R, int N, class A>
  EMU_INLINE static bool spread(const std::array<const R*, N>& v, const A* a, A imm, Stretch<A> s,
                                LaneMask mask) {
    return try_store_spread<M, R, N, A>(v, a, imm, s, mask);
  }
  template <class M, class R, int N, class A>
  EMU_INLINE static bool run(const std::array<const R*, N>& v, A first, Stretch<A> s) {
    return try_store_run<M, R, N, A>(v, first, s);
  }
  template <class T, class A>
  EMU_INLINE static bool own(const T* v, const A* a, A imm, Stretch<A> s, LaneMask mask) {
    return try_store_own<T, A>(v, a, imm, s, mask);
  }
  template <class T, class A>
  EMU_INLINE static bool any(const T* v, const A* a, A imm, Stretch<A> s, LaneMask mask) {
    return try_store<T, A>(v, a, imm, s, mask);
  }
  template <class T>
  EMU_INLINE static void param(std::byte* p, u64 stride, LaneMask mask, const T* v) {
    for_lanes(mask, [&](int i) { std::memcpy(p + u64(i) * stride, &v[i], sizeof v[i]); });
  }

  // An element that is narrower than its register is cut off.
  template <class M, class R>
  static void cut(Warp& w, const Instr& in, LaneMask mask) {
    M element[kLanes];
    const R* v = w.lanes<R>(in.src[1]);
    for_lanes(mask, [&](int i) { element[i] = static_cast<M>(v[i]); });
    if (!move::narrow<Store, M, const M>(w, in, mask, element)) store_checked(w, in, mask);
  }

  template <class M, class R>
  static HandlerBySpace scalars() {
    if constexpr (sizeof(M) < sizeof(R)) {
      HandlerBySpace handlers = HandlerBySpace::all(cut<std::make_unsigned_t<M>, R>);
      handlers.kernel_param = nullptr;
      return handlers;
    } else {
      return move::whole_registers<Store, R>();
    }
  }
};

// The host that sees this value sees what was stored before it.
void store_to_host(Warp& w, const Instr& in, LaneMask mask) {
  std::atomic_thread_fence(std::memory_order_release);
  store_checked(w, in, mask);
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
  const bool to_host = b.has("sys") && b.has("release");
  out.fn = to_host ? &store_to_host : move::pick<Store>(shape, spec->where);
}

}  // namespace emu::exec
