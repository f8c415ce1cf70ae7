// SPDX-License-Identifier: MIT
// atom and red. Lanes act one after another, 0 to 31, so the result is the same on every run.
#include <cstring>

#include "access/atomic_ops.hpp"
#include "access/load_store.hpp"

namespace emu::exec {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using ptx::Space;

constexpr int kMaxElements = 8;

bool returns(const MemorySpec& spec) { return spec.what.kind == observe::AccessKind::Atomic; }

// Pointers for the lanes of mask if all of them are in the stretch.
template <std::size_t kBytes, class A>
EMU_INLINE bool point(const Stretch<A>& s, const A* a, A imm, LaneMask mask, std::byte** at) {
  if (!all_fit<kBytes>(s, a, imm, mask)) return false;
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    at[lane] = s.host + static_cast<A>(a[lane] + imm - s.lo);
  }
  return true;
}

// Where each lane's word is; the lanes in shared memory are returned. Not inlined: it is the larger
// part of an atomic, and the same for all operations.
template <std::size_t kBytes>
[[gnu::noinline]] LaneMask locate(Warp& w, const Instr& in, const MemorySpec& spec, LaneMask mask,
                                  std::byte** at) {
  if (spec.what.bytes == kBytes) {
    const AddressSpec& where = spec.where;
    if (where.base_bytes == 4) {
      if (where.space == Space::Shared &&
          point<kBytes, u32>(shared_stretch<u32>(w, 0), w.lanes<u32>(in.src[0]), u32(in.imm), mask,
                             at)) {
        return mask;
      }
    } else {
      const u64 window = where.space == Space::Generic ? window_of(w, in, mask) : 0;
      const bool shared = where.space == Space::Shared || window == memory::kSharedWindow;
      const Stretch<u64> s =
          shared ? shared_stretch<u64>(w, window) : window_stretch(w, in, window);
      if (point<kBytes, u64>(s, w.lanes<u64>(in.src[0]), u64(in.imm), mask, at))
        return shared ? mask : 0;
    }
  }
  return place_lanes(w, in, spec.where, spec.what, mask, at);
}

// src[1], src[2]: operands. A reduction's old values go nowhere.
template <class T, class Op>
void atomic_op(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  std::byte* at[kLanes];
  const LaneMask shared = locate<sizeof(T)>(w, in, spec, mask, at);
  const Op op;
  LaneMask changed = 0;
  const T* b = w.lanes<T>(in.src[1]);
  const T* c = w.lanes<T>(in.src[2]);
  T dropped[kLanes];
  T* d = returns(spec) ? w.lanes<T>(in.dst) : dropped;
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const T old = read_as<T>(at[lane]);
    const T now = op(old, b[lane], c[lane], (shared >> lane) & 1);
    changed |= LaneMask{!(now == old)} << lane;
    std::memcpy(at[lane], &now, sizeof now);
    d[lane] = old;
  }
  w.block->grid->memory_changes += changed != 0;
  if constexpr (atomic::kExchanges<Op>)
    if (w.observer && changed & ~shared) w.observer->exchanged(w, in, changed & ~shared);
}

// At the scope of the system the host takes part, and other threads of it may be at the same word: a
// real atomic of the host's, in memory that both can reach.
enum class Swap : std::uint8_t { Combine, Exchange, Compare };

template <class T>
T system_update(T* at, T b, T c, Swap how, Combine combine, bool in_shared) {
  constexpr auto kOrder = __ATOMIC_SEQ_CST;
  if (how == Swap::Exchange) return __atomic_exchange_n(at, b, kOrder);
  T old = how == Swap::Compare ? b : __atomic_load_n(at, kOrder);
  for (;;) {
    T now = old;
    if (how == Swap::Compare) {
      now = c;
    } else {
      combine(reinterpret_cast<std::byte*>(&now), reinterpret_cast<const std::byte*>(&b),
              in_shared);
    }
    if (__atomic_compare_exchange_n(at, &old, now, false, kOrder, kOrder)) return old;
    if (how == Swap::Compare) return old;
  }
}

template <class T>
void atomic_system(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  const auto how = static_cast<Swap>(in.flags);
  std::byte* at[kLanes];
  const LaneMask shared = locate<sizeof(T)>(w, in, spec, mask, at);
  const T* b = w.lanes<T>(in.src[1]);
  const T* c = w.lanes<T>(in.src[2]);
  LaneMask changed = 0;
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    T* const word = reinterpret_cast<T*>(at[lane]);
    const T old = system_update(word, b[lane], c[lane], how, spec.combine, (shared >> lane) & 1);
    changed |= LaneMask{__atomic_load_n(word, __ATOMIC_RELAXED) != old} << lane;
    if (returns(spec)) w.lanes<T>(in.dst)[lane] = old;
  }
  w.block->grid->memory_changes += changed != 0;
  if (how != Swap::Combine && w.observer && changed & ~shared)
    w.observer->exchanged(w, in, changed & ~shared);
}

Handler pick_system(std::uint32_t bytes) {
  return bytes == 2   ? atomic_system<std::uint16_t>
         : bytes == 4 ? atomic_system<u32>
         : bytes == 8 ? atomic_system<u64>
                      : nullptr;
}

// list: destinations, then operands. The operation is called: there are many, and vectors are rare.
template <class T>
void atomic_vector(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  std::byte* at[kLanes];
  const LaneMask shared = place_lanes(w, in, spec.where, spec.what, mask, at);
  const int n = in.count;
  bool changed = false;
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    T b[kMaxElements];  // read before any result is written: they may share registers
    for (int e = 0; e < n; ++e) b[e] = w.lanes<T>(in.list[n + e])[lane];
    for (int e = 0; e < n; ++e) {
      std::byte* p = at[lane] + e * sizeof(T);
      const T old = read_as<T>(p);
      spec.combine(p, reinterpret_cast<const std::byte*>(&b[e]), (shared >> lane) & 1);
      changed |= read_as<T>(p) != old;
      if (returns(spec)) w.lanes<T>(in.list[e])[lane] = old;
    }
  }
  w.block->grid->memory_changes += changed;
}

Handler pick_vector(std::uint32_t element_bytes) {
  switch (element_bytes) {
    case 2:
      return atomic_vector<std::uint16_t>;
    case 4:
      return atomic_vector<u32>;
    case 8:
      return atomic_vector<u64>;
    default:
      return nullptr;
  }
}

void bind_atomic(Binder& b, Instr& out, observe::AccessKind kind) {
  const bool has_result = kind == observe::AccessKind::Atomic;
  const std::size_t first = has_result ? 1 : 0;  // of the address
  const auto op = operation_of(b.ins());
  const ptx::Type type = b.type();
  const Elements operands = elements_of(b.operand(first + 1));
  const Shape shape = shape_of(b, operands, type);
  if (shape.element_bytes != shape.register_bytes)
    b.unsupported("the register is not as wide as the type");
  if (operands.count > kMaxElements) b.unsupported("more than 8 elements");
  MemorySpec* spec = bind_memory(b, out, b.operand(first), shape, Use::Atomic);
  spec->what.kind = kind;
  if (spec->where.space == Space::Local || spec->where.space == Space::Param) {
    b.unsupported("atomics work on global and shared memory only");
  }
  const bool vector = operands.count > 1;
  if (vector) {
    const std::size_t n = operands.count;
    const Elements results = elements_of(b.operand(0));
    if (has_result && results.count != n) b.unsupported("as many results as operands are needed");
    Ref* list = b.new_list(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      if (has_result) list[i] = b.dest(results[i]);
      list[n + i] = b.source(operands[i], type);
    }
    out.list = list;
  } else {
    if (has_result) out.dst = b.dest(std::size_t{0});
    out.src[1] = out.src[2] = b.source(first + 1, type);
    if (op == "cas") out.src[2] = b.source(first + 2, type);
  }
  if (vector) {
    spec->combine = pick_combine(op, type);
    out.fn = spec->combine ? pick_vector(shape.element_bytes) : nullptr;
  } else if (b.has("sys") && spec->where.space != Space::Shared && shape.element_bytes <= 8) {
    out.flags = static_cast<std::uint8_t>(op == "exch"  ? Swap::Exchange
                                          : op == "cas" ? Swap::Compare
                                                        : Swap::Combine);
    spec->combine = pick_combine(op, type);
    out.fn = spec->combine ? pick_system(shape.element_bytes) : nullptr;
  } else {
    out.fn = for_operation<Handler>(
        op, type, []<class T, class Op>() -> Handler { return atomic_op<T, Op>; });
  }
  if (!out.fn) b.unsupported("no such operation on this type");
}

}  // namespace

std::string_view operation_of(const ptx::Instruction& ins) {
  for (const std::string_view op :
       {"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"}) {
    if (ins.has(op)) return op;
  }
  return {};
}

Combine pick_combine(std::string_view op, ptx::Type type) {
  return for_operation<Combine>(op, type, []<class T, class Op>() -> Combine {
    return [](std::byte* at, const std::byte* operand, bool in_shared) {
      const T now = Op{}(read_as<T>(at), read_as<T>(operand), T{}, in_shared);
      std::memcpy(at, &now, sizeof now);
    };
  });
}

void bind_atom(Binder& b, Instr& out) { bind_atomic(b, out, observe::AccessKind::Atomic); }
void bind_red(Binder& b, Instr& out) { bind_atomic(b, out, observe::AccessKind::Reduction); }

}  // namespace emu::exec
