// SPDX-License-Identifier: MIT
// st. One handler per space, type in memory and register type; whatever the fast ones do not cover
// goes to store_checked. Of several lanes that write one address the highest wins: the manual
// leaves it open, we keep it the same on every run.
#include <algorithm>

#include "exec/load_store.hpp"

namespace emu::exec {
namespace {

using ptx::Space;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

EMU_INLINE void changed(Warp& w) { ++w.block->grid->memory_changes; }

template <class M, class R, int N>
void store_global(Warp& w, const Instr& in, LaneMask mask) {
  if (valid(*in.site)) [[likely]] {
    const auto v = registers_of<const R, N>(w, in, in.src[1]);
    if (try_store<M, R, N, u64>(v, w.lanes<u64>(in.src[0]), u64(in.imm), site_stretch(*in.site),
                                mask)) {
      return changed(w);
    }
  }
  store_checked(w, in, mask);
}

template <class M, class R, int N, class A>
void store_shared(Warp& w, const Instr& in, LaneMask mask) {
  const auto v = registers_of<const R, N>(w, in, in.src[1]);
  if (try_store<M, R, N, A>(v, w.lanes<A>(in.src[0]), A(in.imm), shared_stretch<A>(w, 0), mask))
    return changed(w);
  store_checked(w, in, mask);
}

template <class M, class R, class A>
void store_local(Warp& w, const Instr& in, LaneMask mask) {
  const A* a = w.lanes<A>(in.src[0]);
  if (try_store_own<M, R, A>(w.lanes<R>(in.src[1]), a, A(in.imm), local_stretch<A>(w, 0), mask))
    return;
  store_checked(w, in, mask);
}

template <class M, class R, int N>
void store_generic(Warp& w, const Instr& in, LaneMask mask) {
  const u64* a = w.lanes<u64>(in.src[0]);
  const u64 imm = u64(in.imm);
  const auto v = registers_of<const R, N>(w, in, in.src[1]);
  const u64 window = (a[first_lane(mask)] + imm) & memory::kWindowMask;
  if (window == 0) {
    if (valid(*in.site) && try_store<M, R, N, u64>(v, a, imm, site_stretch(*in.site), mask))
      return changed(w);
  } else if (window == memory::kSharedWindow) {
    if (try_store<M, R, N, u64>(v, a, imm, shared_stretch<u64>(w, window), mask)) return changed(w);
  } else if (window == memory::kLocalWindow && N == 1) {
    if (try_store_own<M, R, u64>(v[0], a, imm, local_stretch<u64>(w, window), mask)) return;
  }
  store_checked(w, in, mask);
}

template <class M, class R>
void store_frame_param(Warp& w, const Instr& in, LaneMask mask) {
  auto& params = w.frame->params;
  const u64 stride = w.frame->code->param_bytes, at = u64(in.imm);
  if (sizeof(M) > stride || at > stride - sizeof(M) || at % sizeof(M)) [[unlikely]] {
    return store_checked(w, in, mask);
  }
  std::byte* p = params.data() + at;
  const R* v = w.lanes<R>(in.src[1]);
  for_lanes(mask, [&](int i) {
    const M value = static_cast<M>(v[i]);
    std::memcpy(p + u64(i) * stride, &value, sizeof value);
  });
}

template <class M, class R>
Handler scalar_store(const AddressSpec& where) {
  const bool wide = where.base_bytes == 8;
  if (where.param_symbol) return where.kernel_param ? store_checked : store_frame_param<M, R>;
  switch (where.space) {
    case Space::Global:
      return wide ? store_global<M, R, 1> : store_checked;
    case Space::Shared:
      return wide ? store_shared<M, R, 1, u64> : store_shared<M, R, 1, u32>;
    case Space::Local:
      return wide ? store_local<M, R, u64> : store_local<M, R, u32>;
    case Space::Generic:
      return wide ? store_generic<M, R, 1> : store_checked;
    default:
      return store_checked;
  }
}

template <class M, class R, int N>
Handler vector_store(const AddressSpec& where) {
  const bool wide = where.base_bytes == 8;
  switch (where.space) {
    case Space::Global:
      return wide ? store_global<M, R, N> : store_checked;
    case Space::Shared:
      return wide ? store_shared<M, R, N, u64> : store_shared<M, R, N, u32>;
    case Space::Generic:
      return wide ? store_generic<M, R, N> : store_checked;
    default:
      return store_checked;
  }
}

Handler pick(const Shape& shape, const AddressSpec& where) {
  Handler h = nullptr;
  if (shape.elements == 1) {
    h = for_types(shape, [&]<class M, class R>() { return scalar_store<M, R>(where); });
  } else {
    h = for_vector_types(shape,
                         [&]<class M, class R, int N>() { return vector_store<M, R, N>(where); });
  }
  return h ? h : store_checked;
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
