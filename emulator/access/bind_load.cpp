// SPDX-License-Identifier: MIT
// ld and ldu: from memory to registers.
//
// Orders and scopes (volatile, relaxed, acquire, .gpu ...) need nothing here: warps take turns on
// one memory, instruction by instruction, so every load sees every earlier store. Only the host is
// not one of them.
#include <atomic>

#include "access/move.hpp"

namespace emu::exec {
namespace {

using u64 = std::uint64_t;

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

struct Load {
  static void checked(Warp& w, const Instr& in, LaneMask mask) { load_checked(w, in, mask); }
  static void done(Warp&) {}

  template <class R, int N>
  EMU_INLINE static std::array<R*, N> registers(const Warp& w, const Instr& in) {
    return registers_of<R, N>(w, in, in.dst);
  }
  template <class M, class R, int N, class A>
  EMU_INLINE static bool spread(const std::array<R*, N>& d, const A* a, A imm, Stretch<A> s,
                                LaneMask mask) {
    return try_load_spread<M, R, N, A>(d, a, imm, s, mask);
  }
  template <class M, class R, int N, class A>
  EMU_INLINE static bool run(const std::array<R*, N>& d, A first, Stretch<A> s) {
    return try_load_run<M, R, N, A>(d, first, s);
  }
  template <class T, class A>
  EMU_INLINE static bool own(T* d, const A* a, A imm, Stretch<A> s, LaneMask mask) {
    return try_load_own<T, A>(d, a, imm, s, mask);
  }
  template <class T, class A>
  EMU_INLINE static bool any(T* d, const A* a, A imm, Stretch<A> s, LaneMask mask) {
    return try_load<T, A>(d, a, imm, s, mask);
  }
  template <class T>
  EMU_INLINE static void param(const std::byte* p, u64 stride, LaneMask mask, T* d) {
    for_lanes(mask, [&](int i) { d[i] = read_as<T>(p + u64(i) * stride); });
  }

  // An element that is narrower than its register is extended.
  template <class M, class R>
  static void extended(Warp& w, const Instr& in, LaneMask mask) {
    std::make_unsigned_t<M> element[kLanes];
    if (!fetch(w, in, mask, element)) return load_checked(w, in, mask);
    R* d = w.lanes<R>(in.dst);
    for_lanes(mask, [&](int i) { d[i] = static_cast<R>(static_cast<M>(element[i])); });
  }
  template <class M>
  [[gnu::noinline]] static bool fetch(Warp& w, const Instr& in, LaneMask mask, M* to) {
    const AddressSpec& where = static_cast<const MemorySpec*>(in.extra)->where;
    if (!where.param_symbol || !where.kernel_param) return move::narrow<Load, M>(w, in, mask, to);
    const auto& params = w.block->grid->params;
    if (!fits_params<M>(in, params.size())) return false;
    param<M>(params.data() + in.imm, 0, mask, to);
    return true;
  }

  template <class M, class R>
  static HandlerBySpace scalars() {
    if constexpr (sizeof(M) < sizeof(R)) {
      return HandlerBySpace::all(extended<M, R>);
    } else {
      HandlerBySpace handlers = move::whole_registers<Load, R>();
      handlers.kernel_param = load_kernel_param<R>;
      return handlers;
    }
  }
};

// What the host released before it stored this value is there.
void load_from_host(Warp& w, const Instr& in, LaneMask mask) {
  load_checked(w, in, mask);
  std::atomic_thread_fence(std::memory_order_acquire);
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
  const bool from_host = b.has("sys") && b.has("acquire");
  out.fn = from_host ? &load_from_host : move::pick<Load>(shape, spec->where);
}

void bind_ldu(Binder& b, Instr& out) { bind_ld(b, out); }

}  // namespace emu::exec
