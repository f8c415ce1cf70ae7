// SPDX-License-Identifier: MIT
// Instructions on addresses themselves: generic windows, ranks in a cluster, the stack pointer.
#include "access/access.hpp"

namespace emu::exec {
namespace {

using ptx::Space;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kRankField = u64{0xff} << memory::kClusterRankShift;

// Window of the space, 0 for global and const: their addresses are generic already.
u64 window_for(const ptx::Instruction& ins) {
  switch (space_of(ins)) {
    case Space::Shared:
      return memory::kSharedWindow;
    case Space::Local:
      return memory::kLocalWindow;
    case Space::Param:
      return memory::kParamWindow;
    default:
      return 0;
  }
}

template <bool kTo>
void convert(Warp& w, const Instr& in, LaneMask mask) {
  const u64* a = w.lanes<u64>(in.src[0]);
  u64* d = w.lanes<u64>(in.dst);
  const u64 window = u64(in.imm);
  // To a space: only an address of that window loses it, so that one of another space stays
  // recognisably wrong.
  for_lanes(mask, [&](int i) {
    if (kTo)
      d[i] = (a[i] & memory::kWindowMask) == window ? a[i] & ~memory::kWindowMask : a[i];
    else
      d[i] = a[i] | window;
  });
}

// Rank of the block that owns a shared offset.
u32 rank_of(const Warp& w, u64 offset) {
  const u32 field = static_cast<u32>((offset & kRankField) >> memory::kClusterRankShift);
  return field == 0 ? w.block->rank : field - 1;
}

enum class Test : std::uint8_t { Window, OwnShared, Global, Const };

bool is_in(const Warp& w, u64 address, Test test, u64 window) {
  switch (test) {
    case Test::Window:
      return (address & memory::kWindowMask) == window;
    case Test::OwnShared:
      return (address & memory::kWindowMask) == memory::kSharedWindow &&
             rank_of(w, address) == w.block->rank;
    case Test::Global:
    case Test::Const:
      break;
  }
  if (address & memory::kWindowMask) return false;
  const auto* a = memory::AddressSpace::instance().find(address);
  const bool constant = a && a->kind == memory::Kind::Constant;
  return constant == (test == Test::Const);
}

void in_space(Warp& w, const Instr& in, LaneMask mask) {
  const u64* a = w.lanes<u64>(in.src[0]);
  LaneMask yes = 0;
  for (LaneMask m = mask; m; m &= m - 1) {
    const int i = __builtin_ctz(m);
    if (is_in(w, a[i], static_cast<Test>(in.flags), u64(in.imm))) yes |= LaneMask{1} << i;
  }
  w.set_predicate(in.dst, mask, yes);
}

template <class A>
void map_address(Warp& w, const Instr& in, LaneMask mask) {
  const A* a = w.lanes<A>(in.src[0]);
  const u32* rank = w.lanes<u32>(in.src[1]);
  A* d = w.lanes<A>(in.dst);
  for (LaneMask m = mask; m; m &= m - 1) {
    const int i = __builtin_ctz(m);
    if (rank[i] >= w.block->cluster.size()) {
      fault(FaultKind::BadOperand, i,
            "mapa to rank " + std::to_string(rank[i]) + ": the cluster has " +
                std::to_string(w.block->cluster.size()) +
                (w.block->cluster.size() == 1 ? " block" : " blocks"));
    }
    d[i] = static_cast<A>((a[i] & ~static_cast<A>(kRankField)) | static_cast<A>(rank[i] + 1)
                                                                     << memory::kClusterRankShift);
  }
}

template <class A>
void owner_rank(Warp& w, const Instr& in, LaneMask mask) {
  const A* a = w.lanes<A>(in.src[0]);
  u32* d = w.lanes<u32>(in.dst);
  for (LaneMask m = mask; m; m &= m - 1) {
    const int i = __builtin_ctz(m);
    d[i] = rank_of(w, a[i]);
  }
}

}  // namespace

void bind_cvta(Binder& b, Instr& out) {
  if (b.type() != ptx::Type::U64) b.unsupported("addresses have 64 bits");
  out.dst = b.dest(std::size_t{0});
  out.src[0] = b.source(1, b.type());
  out.imm = static_cast<std::int64_t>(window_for(b.ins()));
  out.fn = b.has("to") ? convert<true> : convert<false>;
}

void bind_isspacep(Binder& b, Instr& out) {
  out.dst = b.dest(std::size_t{0});
  if (b.width(b.operand(1)) == 4) b.unsupported("addresses have 64 bits");
  out.src[0] = b.source(1, ptx::Type::U64);
  out.imm = static_cast<std::int64_t>(window_for(b.ins()));
  Test test = Test::Window;
  if (b.has("global")) test = Test::Global;
  if (b.has("const")) test = Test::Const;
  if (b.has("shared") || b.has("shared::cta")) test = Test::OwnShared;
  out.flags = static_cast<std::uint8_t>(test);
  out.fn = in_space;
}

void bind_mapa(Binder& b, Instr& out) {
  out.dst = b.dest(std::size_t{0});
  out.src[0] = b.source(1, b.type());
  out.src[1] = b.source(2, ptx::Type::U32);
  out.fn = b.type() == ptx::Type::U64 ? map_address<u64> : map_address<u32>;
}

void bind_getctarank(Binder& b, Instr& out) {
  out.dst = b.dest(std::size_t{0});
  out.src[0] = b.source(1, b.type());
  out.fn = b.type() == ptx::Type::U64 ? owner_rank<u64> : owner_rank<u32>;
}

void bind_stacksave(Binder& b, Instr&) {
  b.unsupported("alloca() in device code is not supported");
}
void bind_stackrestore(Binder& b, Instr&) {
  b.unsupported("alloca() in device code is not supported");
}
void bind_alloca_(Binder& b, Instr&) { b.unsupported("alloca() in device code is not supported"); }

}  // namespace emu::exec
