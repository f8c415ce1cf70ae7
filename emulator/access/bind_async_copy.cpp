// SPDX-License-Identifier: MIT
// cp.async of single threads: checked when issued, made when waited for (access/async_copy.hpp).
#include "access/async_copy.hpp"
#include "access/load_store.hpp"
#include "access/mbarrier.hpp"

namespace emu::exec {
namespace {

using u32 = std::uint32_t;
using ptx::Operand;
using ptx::Space;

enum class Source : std::uint8_t { Whole, Bytes, Ignored };

struct CopySpec {
  AddressSpec to, from;
  u32 bytes = 0;
  Source source = Source::Whole;
  LaneMask flip = 0;  // of the ignore-src predicate
};

void tell(Warp& w, const Instr& in, AsyncCopies::Copy& copy) {
  const std::byte* const shared = w.block->shared.data();
  for (LaneMask m = copy.left; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    copy.told[lane] =
        w.observer->copying(w, in,
                            {lane,
                             copy.bytes,
                             copy.source_bytes[lane],
                             false,
                             {w.block, static_cast<std::uint64_t>(copy.to[lane] - shared)},
                             {nullptr, copy.source[lane]}});
  }
}

// src[1]: bytes to take from the source, or the predicate that ignores it.
void issue(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const CopySpec*>(in.extra);
  LaneMask reading = mask;
  if (spec.source == Source::Ignored) reading &= ~(w.predicate(in.src[1]) ^ spec.flip);
  const u32* sizes = spec.source == Source::Bytes ? w.lanes<u32>(in.src[1]) : nullptr;
  if (sizes) {
    for (LaneMask m = mask; m; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (sizes[lane] == 0) reading &= ~(LaneMask{1} << lane);
      if (sizes[lane] > spec.bytes) {
        fault(FaultKind::BadOperand, lane,
              "cp.async with a source size of " + std::to_string(sizes[lane]) +
                  " bytes, more than the " + std::to_string(spec.bytes) + " it copies");
      }
    }
  }
  auto& mine = async_of(w);
  auto& copy = mine.copies.emplace_back();
  copy.serial = mine.next_serial++;
  copy.bytes = spec.bytes;
  copy.epoch = memory::AddressSpace::epoch();
  std::byte* from[kLanes];
  resolve(w, in, spec.to, {spec.bytes, spec.bytes, Use::Write, observe::AccessKind::AsyncCopy},
          mask, copy.to);
  if (reading && sizes == nullptr) {
    resolve(w, in, spec.from, {spec.bytes, spec.bytes, Use::Read, observe::AccessKind::AsyncCopy},
            reading, from);
  }
  for (LaneMask m = sizes ? reading : 0; m; m &= m - 1) {  // sizes differ from lane to lane
    const int lane = __builtin_ctz(m);
    place_lanes(w, in, spec.from,
                {sizes[lane], spec.bytes, Use::Read, observe::AccessKind::AsyncCopy},
                LaneMask{1} << lane, from);
  }
  effective(w, spec.from, mask, copy.source);
  if (sizes && reading && w.observer) {  // ... but it is one request of the warp
    w.observer->memory(w, in,
                       {observe::AccessKind::AsyncCopy, observe::MemorySpace::Global, spec.bytes,
                        reading, copy.source});
  }
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const bool reads = reading >> lane & 1;
    copy.group[lane] = mine.groups[lane];
    copy.source_bytes[lane] = static_cast<std::uint8_t>(!reads  ? 0
                                                        : sizes ? sizes[lane]
                                                                : spec.bytes);
    copy.from[lane] = reads ? from[lane] : nullptr;
    copy.told[lane] = 0;
  }
  copy.left = mask;
  if (w.observer) tell(w, in, copy);
}

void commit(Warp& w, const Instr&, LaneMask mask) {
  auto& mine = async_of(w);
  for (LaneMask m = mask; m; m &= m - 1) ++mine.groups[__builtin_ctz(m)];
}

void wait_group(Warp& w, const Instr& in, LaneMask mask) {
  finish_groups(w, mask, static_cast<u32>(in.imm));
}

void wait_all(Warp& w, const Instr& in, LaneMask mask) {
  commit(w, in, mask);
  finish_groups(w, mask, 0);
}

// Arrives when this thread's copies so far are made. flags: 1 for .noinc.
void arrive_after(Warp& w, const Instr& in, LaneMask mask) {
  const auto& where = *static_cast<const AddressSpec*>(in.extra);
  std::uint64_t addresses[kLanes];
  effective(w, where, mask, addresses);
  auto& mine = async_of(w);
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const auto p =
        shared_place(w, shared_offset(where, addresses[lane], lane), 8, 8, Use::Atomic, lane);
    if (p.block != w.block) {
      fault(FaultKind::InvalidSpace, lane,
            "cp.async.mbarrier.arrive needs an mbarrier of its own block");
    }
    Mbarrier barrier(p.host(), lane);
    if (!in.flags) barrier.add_pending();
    AsyncCopies::Counted c;
    c.mbarrier = p.offset;
    c.warp = w.id;
    c.lane = static_cast<u32>(lane);
    c.serial = mine.next_serial - 1;
    async_of(*p.block).counted.push_back(std::move(c));
  }
  ++w.block->grid->memory_changes;
}

}  // namespace

void bind_cp_async(Binder& b, Instr& out) {
  CopySpec spec;
  spec.to = bind_address(b, b.operand(0), Space::Shared);
  spec.from = bind_address(b, b.operand(1), Space::Global);
  const Operand& size = b.operand(2);
  if (size.kind != Operand::Kind::Immediate ||
      (size.bits != 4 && size.bits != 8 && size.bits != 16)) {
    b.unsupported("cp.async copies 4, 8 or 16 bytes, given as a constant");
  }
  spec.bytes = static_cast<u32>(size.bits);
  const std::size_t operands = b.operand_count() - (b.has("L2::cache_hint") ? 1 : 0);
  if (operands > 3) {
    const Operand& extra = b.operand(3);
    if (extra.kind == Operand::Kind::Register && b.width(extra) == 0) {
      spec.source = Source::Ignored;
      std::tie(out.src[1], spec.flip) = b.predicate(extra);
    } else {
      spec.source = Source::Bytes;
      out.src[1] = b.source(extra, ptx::Type::U32);
    }
  }
  out.site = b.new_site();
  out.extra = b.make(spec);
  out.fn = issue;
}

void bind_cp_async_commit(Binder&, Instr& out) { out.fn = commit; }

void bind_cp_async_wait_group(Binder& b, Instr& out) {
  if (b.operand(0).kind != ptx::Operand::Kind::Immediate) b.unsupported("n must be a constant");
  out.imm = static_cast<std::int64_t>(b.operand(0).bits);
  out.fn = wait_group;
}

void bind_cp_async_wait_all(Binder&, Instr& out) { out.fn = wait_all; }

void bind_cp_async_mbarrier(Binder& b, Instr& out) {
  out.extra = b.make(bind_address(b, b.operand(0)));
  out.flags = b.has("noinc") ? 1 : 0;
  out.fn = arrive_after;
}

}  // namespace emu::exec
