// SPDX-License-Identifier: MIT
// cp.async.bulk and cp.reduce.async.bulk (one-dimensional), st.async and red.async: moves that an
// mbarrier or a bulk group counts.
#include "access/async_copy.hpp"
#include "access/atomic_ops.hpp"
#include "access/load_store.hpp"
#include "access/mbarrier.hpp"

namespace emu::exec {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using ptx::Space;

constexpr u32 kBulkAlign = 16;

struct BulkSpec {
  AddressSpec to, from, mbarrier;
  bool counted = false;    // by an mbarrier, else by the thread's bulk group
  bool multicast = false;  // src[2]: ranks of the blocks that get a copy
  Combine combine = nullptr;
  u32 element_bytes = 1;
};

Place place_of(Warp& w, const Instr& in, const AddressSpec& where, u64 address, u32 bytes, Use use,
               int lane) {
  if (where.space == Space::Shared) {
    const SharedPlace p = shared_place(w, address, bytes, kBulkAlign, use, lane);
    return {p.block, p.offset};
  }
  global_place(w, in.site, address, bytes, kBulkAlign, use, lane);
  return {nullptr, address};
}

void report_bulk(Warp& w, const Instr& in, const AddressSpec& where, const u64* addresses,
                 u32 bytes, int lane) {
  if (!w.observer) return;
  const auto space =
      where.space == Space::Shared ? observe::MemorySpace::Shared : observe::MemorySpace::Global;
  w.observer->memory(
      w, in, {observe::AccessKind::AsyncCopy, space, bytes, LaneMask{1} << lane, addresses});
}

void tell(Warp& w, const Instr& in, Move& move, int lane) {
  if (!w.observer) return;
  move.told = w.observer->copying(w, in,
                                  {lane,
                                   move.bytes,
                                   move.read ? 0 : move.bytes,
                                   move.combine != nullptr,
                                   {move.to.block, move.to.at},
                                   {move.from.block, move.from.at}});
}

// The copy to the block of each rank in the mask: same offsets, that block's mbarrier.
void multicast(Warp& w, const Instr& in, const Move& move, u32 mbarrier, u32 ranks, int lane) {
  for (; ranks; ranks &= ranks - 1) {
    const u32 rank = static_cast<u32>(__builtin_ctz(ranks));
    const auto field = u64{rank + 1} << memory::kClusterRankShift;
    const SharedPlace to =
        shared_place(w, field | move.to.at, move.bytes, kBulkAlign, Use::Write, lane);
    const SharedPlace bar = shared_place(w, field | mbarrier, 8, 8, Use::Atomic, lane);
    Move one = move;
    one.to = {to.block, to.offset};
    tell(w, in, one, lane);
    count_move(*bar.block, bar.offset, std::move(one));
  }
}

void issue_lane(Warp& w, const Instr& in, const BulkSpec& spec, const u64* to, const u64* from,
                const u64* mbarrier, u32 bytes, int lane) {
  if (bytes % kBulkAlign) {
    fault(FaultKind::BadOperand, lane,
          "a bulk copy of " + std::to_string(bytes) + " bytes: the size must be a multiple of 16");
  }
  if (bytes == 0) return;
  Move move;
  move.bytes = bytes;
  move.combine = spec.combine;
  move.element_bytes = spec.element_bytes;
  move.to = place_of(w, in, spec.to, to[lane], bytes, Use::Write, lane);
  move.from = place_of(w, in, spec.from, from[lane], bytes, Use::Read, lane);
  report_bulk(w, in, spec.from, from, bytes, lane);
  report_bulk(w, in, spec.to, to, bytes, lane);
  if (!spec.multicast) tell(w, in, move, lane);
  if (!spec.counted) {
    auto& mine = async_of(w);
    mine.bulks.push_back({static_cast<u32>(lane), mine.bulk_groups[lane], std::move(move)});
    return;
  }
  const SharedPlace bar = shared_place(w, mbarrier[lane], 8, 8, Use::Atomic, lane);
  if (spec.multicast) {
    multicast(w, in, move, bar.offset, w.lanes<u16>(in.src[2])[lane], lane);
    return;
  }
  if (bar.block != move.to.block) {
    fault(FaultKind::BadOperand, lane,
          "the mbarrier of a bulk copy must be in the block the copy goes to");
  }
  Mbarrier(bar.host(), lane);  // faults now if there is none
  count_move(*bar.block, bar.offset, std::move(move));
}

void issue(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const BulkSpec*>(in.extra);
  u64 to[kLanes], from[kLanes], mbarrier[kLanes];
  effective(w, spec.to, mask, to);
  effective(w, spec.from, mask, from);
  if (spec.counted) effective(w, spec.mbarrier, mask, mbarrier);
  const u32* bytes = w.lanes<u32>(in.src[1]);
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    issue_lane(w, in, spec, to, from, mbarrier, bytes[lane], lane);
  }
}

void commit(Warp& w, const Instr&, LaneMask mask) {
  auto& mine = async_of(w);
  for (LaneMask m = mask; m; m &= m - 1) ++mine.bulk_groups[__builtin_ctz(m)];
}

void wait_group(Warp& w, const Instr& in, LaneMask mask) {
  finish_bulk_groups(w, mask, static_cast<u32>(in.imm), in.flags != 0);
}

// st.async and red.async: the value is taken now, it lands when the mbarrier is tested.
struct RemoteSpec {
  AddressSpec to, mbarrier;
  Combine combine = nullptr;
  u32 element_bytes = 4;
  u32 elements = 1;
};

void issue_remote(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const RemoteSpec*>(in.extra);
  const u32 bytes = spec.element_bytes * spec.elements;
  u64 to[kLanes], mbarrier[kLanes];
  effective(w, spec.to, mask, to);
  effective(w, spec.mbarrier, mask, mbarrier);
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const SharedPlace p = shared_place(w, to[lane], bytes, bytes, Use::Write, lane);
    const SharedPlace bar = shared_place(w, mbarrier[lane], 8, 8, Use::Atomic, lane);
    if (bar.block != p.block) {
      fault(FaultKind::BadOperand, lane, "the mbarrier must be in the block the data goes to");
    }
    Move move;
    move.to = {p.block, p.offset};
    move.bytes = bytes;
    move.combine = spec.combine;
    move.element_bytes = spec.element_bytes;
    move.data.resize(bytes);
    move.read = true;
    for (u32 e = 0; e < spec.elements; ++e) {
      const std::byte* value =
          w.lanes<std::byte>(in.list[e]) + std::size_t(lane) * spec.element_bytes;
      std::memcpy(move.data.data() + e * spec.element_bytes, value, spec.element_bytes);
    }
    report_bulk(w, in, spec.to, to, bytes, lane);
    tell(w, in, move, lane);
    count_move(*bar.block, bar.offset, std::move(move));
  }
}

void bind_remote(Binder& b, Instr& out, Combine combine) {
  RemoteSpec spec;
  spec.to = bind_address(b, b.operand(0), Space::Shared);
  spec.mbarrier = bind_address(b, b.operand(2), Space::Shared);
  spec.combine = combine;
  const Elements elements = elements_of(b.operand(1));
  const Shape shape = shape_of(b, elements, b.type());
  if (shape.register_bytes != shape.element_bytes)
    b.unsupported("the register is not as wide as the type");
  spec.element_bytes = shape.element_bytes;
  spec.elements = static_cast<u32>(elements.count);
  Ref* list = b.new_list(elements.count);
  for (std::size_t i = 0; i < elements.count; ++i) list[i] = b.source(elements[i], b.type());
  out.list = list;
  out.extra = b.make(spec);
  out.fn = issue_remote;
}

void bind_bulk(Binder& b, Instr& out, bool reduce) {
  if (b.has("cp_mask")) b.unsupported("a byte mask is not supported");
  Space spaces[2] = {Space::None,
                     Space::None};  // destination, source, in the order they are written
  int found = 0;
  for (const auto m : b.ins().mods) {
    const bool shared = m == "shared::cta" || m == "shared::cluster";
    if ((shared || m == "global") && found < 2)
      spaces[found++] = shared ? Space::Shared : Space::Global;
  }
  if (found != 2) b.unsupported("both spaces must be named");
  BulkSpec spec;
  spec.to = bind_address(b, b.operand(0), spaces[0]);
  spec.from = bind_address(b, b.operand(1), spaces[1]);
  out.src[1] = b.source(2, ptx::Type::U32);
  spec.counted = b.has("mbarrier::complete_tx::bytes");
  if (spec.counted) spec.mbarrier = bind_address(b, b.operand(3), Space::Shared);
  if (b.has("multicast::cluster")) {
    spec.multicast = true;
    out.src[2] = b.source(4, ptx::Type::B16);
  }
  if (reduce) {
    spec.combine = pick_combine(operation_of(b.ins()), b.type());
    if (!spec.combine) b.unsupported("no such reduction on this type");
    spec.element_bytes = ptx::size_of(b.type());
  }
  out.site = b.new_site();
  out.extra = b.make(spec);
  out.fn = issue;
}

}  // namespace

void bind_cp_async_bulk(Binder& b, Instr& out) { bind_bulk(b, out, false); }
void bind_cp_reduce_async_bulk(Binder& b, Instr& out) { bind_bulk(b, out, true); }
void bind_cp_async_bulk_commit(Binder&, Instr& out) { out.fn = commit; }
void bind_cp_async_bulk_wait(Binder& b, Instr& out) {
  if (b.operand(0).kind != ptx::Operand::Kind::Immediate) b.unsupported("n must be a constant");
  out.imm = static_cast<std::int64_t>(b.operand(0).bits);
  out.flags = b.has("read") ? 1 : 0;
  out.fn = wait_group;
}
void bind_st_async(Binder& b, Instr& out) { bind_remote(b, out, nullptr); }
void bind_red_async(Binder& b, Instr& out) {
  const Combine combine = pick_combine(operation_of(b.ins()), b.type());
  if (!combine) b.unsupported("no such reduction on this type");
  bind_remote(b, out, combine);
}

}  // namespace emu::exec
