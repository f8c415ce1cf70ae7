// SPDX-License-Identifier: MIT
// ld and ldu. One handler per space, type in memory and register type; whatever the fast ones do
// not cover goes to load_checked.
//
// Orders and scopes (volatile, relaxed, acquire, .gpu ...) need nothing here: warps take turns on
// one memory, instruction by instruction, so every load sees every earlier store.
#include "exec/load_store.hpp"

namespace emu::exec {
namespace {

using ptx::Space;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class M, class R, int N>
void load_global(Warp& w, const Instr& in, LaneMask mask) {
  if (valid(*in.site)) [[likely]] {
    const auto d = registers_of<R, N>(w, in, in.dst);
    if (try_load<M, R, N, u64>(d, w.lanes<u64>(in.src[0]), u64(in.imm), site_stretch(*in.site),
                               mask))
      return;
  }
  load_checked(w, in, mask);
}

template <class M, class R, int N, class A>
void load_shared(Warp& w, const Instr& in, LaneMask mask) {
  const auto d = registers_of<R, N>(w, in, in.dst);
  if (try_load<M, R, N, A>(d, w.lanes<A>(in.src[0]), A(in.imm), shared_stretch<A>(w, 0), mask))
    return;
  load_checked(w, in, mask);
}

template <class M, class R, class A>
void load_local(Warp& w, const Instr& in, LaneMask mask) {
  const A* a = w.lanes<A>(in.src[0]);
  if (try_load_own<M, R, A>(w.lanes<R>(in.dst), a, A(in.imm), local_stretch<A>(w, 0), mask)) return;
  load_checked(w, in, mask);
}

// Generic: the window of the first lane says which space to try; lanes in different spaces take the
// checked path.
template <class M, class R, int N>
void load_generic(Warp& w, const Instr& in, LaneMask mask) {
  const u64* a = w.lanes<u64>(in.src[0]);
  const auto d = registers_of<R, N>(w, in, in.dst);
  const u64 window = (a[first_lane(mask)] + u64(in.imm)) & memory::kWindowMask;
  if (window == 0) {
    if (valid(*in.site) && try_load<M, R, N, u64>(d, a, u64(in.imm), site_stretch(*in.site), mask))
      return;
  } else if (window == memory::kSharedWindow) {
    if (try_load<M, R, N, u64>(d, a, u64(in.imm), shared_stretch<u64>(w, window), mask)) return;
  } else if (window == memory::kLocalWindow && N == 1) {
    if (try_load_own<M, R, u64>(d[0], a, u64(in.imm), local_stretch<u64>(w, window), mask)) return;
  }
  load_checked(w, in, mask);
}

// A parameter of the kernel: the same for every lane, and its place was checked when it was bound
// to the launch.
template <class M, class R>
void load_kernel_param(Warp& w, const Instr& in, LaneMask mask) {
  const auto& params = w.block->grid->params;
  const u64 at = u64(in.imm);
  if (sizeof(M) > params.size() || at > params.size() - sizeof(M) || at % sizeof(M)) [[unlikely]] {
    return load_checked(w, in, mask);
  }
  const R value = static_cast<R>(read_as<M>(params.data() + at));
  R* d = w.lanes<R>(in.dst);
  for_lanes(mask, [&](int i) { d[i] = value; });
}

// A parameter or result of a function, in the frame.
template <class M, class R>
void load_frame_param(Warp& w, const Instr& in, LaneMask mask) {
  auto& params = w.frame->params;
  const u64 stride = w.frame->code->param_bytes, at = u64(in.imm);
  if (sizeof(M) > stride || at > stride - sizeof(M) || at % sizeof(M)) [[unlikely]] {
    return load_checked(w, in, mask);
  }
  const std::byte* p = params.data() + at;
  R* d = w.lanes<R>(in.dst);
  for_lanes(mask, [&](int i) { d[i] = static_cast<R>(read_as<M>(p + u64(i) * stride)); });
}

template <class M, class R>
Handler scalar_load(const AddressSpec& where) {
  const bool wide = where.base_bytes == 8;
  if (where.param_symbol)
    return where.kernel_param ? load_kernel_param<M, R> : load_frame_param<M, R>;
  switch (where.space) {
    case Space::Global:
      return wide ? load_global<M, R, 1> : load_checked;
    case Space::Shared:
      return wide ? load_shared<M, R, 1, u64> : load_shared<M, R, 1, u32>;
    case Space::Local:
      return wide ? load_local<M, R, u64> : load_local<M, R, u32>;
    case Space::Generic:
      return wide ? load_generic<M, R, 1> : load_checked;
    default:
      return load_checked;
  }
}

template <class M, class R, int N>
Handler vector_load(const AddressSpec& where) {
  const bool wide = where.base_bytes == 8;
  switch (where.space) {
    case Space::Global:
      return wide ? load_global<M, R, N> : load_checked;
    case Space::Shared:
      return wide ? load_shared<M, R, N, u64> : load_shared<M, R, N, u32>;
    case Space::Generic:
      return wide ? load_generic<M, R, N> : load_checked;
    default:
      return load_checked;
  }
}

Handler pick(const Shape& shape, const AddressSpec& where) {
  Handler h = nullptr;
  if (shape.elements == 1) {
    h = for_types(shape, [&]<class M, class R>() { return scalar_load<M, R>(where); });
  } else {
    h = for_vector_types(shape,
                         [&]<class M, class R, int N>() { return vector_load<M, R, N>(where); });
  }
  return h ? h : load_checked;
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
