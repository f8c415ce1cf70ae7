// SPDX-License-Identifier: MIT
// Fences and cache hints. Warps take turns on one memory, instruction by instruction, so a fence has
// nothing to do unless it is one for the host too; observers see it as an instruction. discard is the one hint that may change
// what is read later.
#include <atomic>

#include "access/load_store.hpp"

namespace emu::exec {
namespace {

void nothing(Warp&, const Instr&, LaneMask) {}

void fence(Warp& w, const Instr& in, LaneMask mask) {
  if (w.observer) w.observer->fenced(w, in, mask);
}
void with_host(Warp& w, const Instr& in, LaneMask mask) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  fence(w, in, mask);
}
Handler fence_of(const Binder& b) { return b.has("sys") ? &with_host : &fence; }

constexpr std::uint32_t kDiscardBytes = 128;

// The content becomes undefined: it is overwritten, so that a program that still reads it notices.
void discard(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  std::byte* at[kLanes];
  resolve(w, in, spec.where, spec.what, mask, at);
  for (LaneMask m = mask; m; m &= m - 1)
    std::memset(at[__builtin_ctz(m)], memory::kUnwritten, kDiscardBytes);
  ++w.block->grid->memory_changes;
}

void policy(Warp& w, const Instr& in, LaneMask mask) {
  auto* d = w.lanes<std::uint64_t>(in.dst);
  for_lanes(mask, [&](int i) { d[i] = 0; });
}

}  // namespace

void bind_membar(Binder& b, Instr& out) { out.fn = fence_of(b); }
void bind_fence(Binder& b, Instr& out) { out.fn = fence_of(b); }
void bind_fence_proxy(Binder&, Instr& out) { out.fn = fence; }
void bind_fence_mbarrier_init(Binder&, Instr& out) { out.fn = nothing; }

void bind_prefetch(Binder&, Instr& out) { out.fn = nothing; }
void bind_prefetchu(Binder&, Instr& out) { out.fn = nothing; }
void bind_applypriority(Binder&, Instr& out) { out.fn = nothing; }
void bind_cp_async_bulk_prefetch(Binder&, Instr& out) { out.fn = nothing; }

void bind_discard(Binder& b, Instr& out) {
  Shape bytes;
  bytes.element_bytes = 1;
  bytes.elements = kDiscardBytes;
  MemorySpec* spec = bind_memory(b, out, b.operand(0), bytes, Use::Write);
  spec->what.kind = observe::AccessKind::Store;
  out.fn = discard;
}

// A policy is a number that only cache hints read.
void bind_createpolicy(Binder& b, Instr& out) {
  out.dst = b.dest(std::size_t{0});
  out.fn = policy;
}

}  // namespace emu::exec
