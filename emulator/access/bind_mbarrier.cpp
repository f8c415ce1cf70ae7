// SPDX-License-Identifier: MIT
// mbarrier.*: barriers in shared memory. Waits never block: test_wait and try_wait answer at once,
// and try_wait lets others run before the program asks again.
#include "access/async_copy.hpp"
#include "access/load_store.hpp"
#include "access/mbarrier.hpp"

namespace emu::exec {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum Flag : std::uint8_t {
  kExpectTx = 1,    // the third operand is a tx-count
  kNoComplete = 2,  // the phase must not complete
  kDrop = 4,
  kParity = 8,
  kHasCount = 16,
};

// Calls f(lane, place) for each lane in order with the mbarrier's place in shared memory.
template <class F>
void each(Warp& w, const Instr& in, LaneMask mask, Use use, F&& f) {
  const auto& where = *static_cast<const AddressSpec*>(in.extra);
  u64 addresses[kLanes];
  effective(w, where, mask, addresses);
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    f(lane, shared_place(w, shared_offset(where, addresses[lane], lane), 8, 8, use, lane));
  }
}

void tell(Warp& w, const Instr& in, observe::MbarrierStep step, int lane, const SharedPlace& p,
          bool phase) {
  if (w.observer) w.observer->mbarrier(w, in, {step, lane, p.block, p.offset, phase});
}

void changed(Warp& w) { ++w.block->grid->memory_changes; }

void init(Warp& w, const Instr& in, LaneMask mask) {
  const u32* count = w.lanes<u32>(in.src[1]);
  each(w, in, mask, Use::Write, [&](int lane, SharedPlace p) {
    Mbarrier::init(p.host(), count[lane], lane);
    tell(w, in, observe::MbarrierStep::Init, lane, p, false);
  });
  changed(w);
}

void invalidate(Warp& w, const Instr& in, LaneMask mask) {
  each(w, in, mask, Use::Write, [&](int lane, SharedPlace p) {
    finish_counted(*p.block, p.offset);
    Mbarrier::invalidate(p.host(), lane);
    tell(w, in, observe::MbarrierStep::Invalidate, lane, p, false);
  });
  changed(w);
}

void expect_tx(Warp& w, const Instr& in, LaneMask mask) {
  const u32* bytes = w.lanes<u32>(in.src[1]);
  each(w, in, mask, Use::Atomic,
       [&](int lane, SharedPlace p) { Mbarrier(p.host(), lane).expect_tx(bytes[lane]); });
  changed(w);
}

void complete_tx(Warp& w, const Instr& in, LaneMask mask) {
  const u32* bytes = w.lanes<u32>(in.src[1]);
  each(w, in, mask, Use::Atomic,
       [&](int lane, SharedPlace p) { Mbarrier(p.host(), lane).complete_tx(bytes[lane]); });
  changed(w);
}

void arrive(Warp& w, const Instr& in, LaneMask mask) {
  const u32* operand = w.lanes<u32>(in.src[1]);
  u64* d = w.lanes<u64>(in.dst);
  each(w, in, mask, Use::Atomic, [&](int lane, SharedPlace p) {
    const u32 count = (in.flags & kHasCount) ? operand[lane] : 1;
    // A phase that only waits for bytes is over as soon as they are copied.
    if (Mbarrier(p.host(), lane).pending() < count) finish_counted(*p.block, p.offset);
    Mbarrier barrier(p.host(), lane);
    if ((in.flags & kNoComplete) && count >= barrier.pending()) {
      fault(FaultKind::BadOperand, lane, "mbarrier arrive.noComplete would complete the phase");
    }
    const u64 before = barrier.state();
    tell(w, in, observe::MbarrierStep::Arrive, lane, p, Mbarrier::phase_of(before));
    if (in.flags & kExpectTx) barrier.expect_tx(operand[lane]);
    if (in.flags & kDrop) {
      barrier.drop(count);
    } else {
      barrier.arrive(count);
    }
    d[lane] = before;
  });
  changed(w);
}

void test(Warp& w, const Instr& in, LaneMask mask) {
  LaneMask done = 0;
  each(w, in, mask, Use::Read, [&](int lane, SharedPlace p) {
    finish_counted(*p.block, p.offset);
    const bool phase = Mbarrier(p.host(), lane).phase();
    const bool asked = (in.flags & kParity) ? (w.lanes<u32>(in.src[1])[lane] & 1) != 0
                                            : Mbarrier::phase_of(w.lanes<u64>(in.src[1])[lane]);
    if (phase == asked) return;
    done |= LaneMask{1} << lane;
    tell(w, in, observe::MbarrierStep::Wait, lane, p, asked);
  });
  w.set_predicate(in.dst, mask, done);
}

void pending_count(Warp& w, const Instr& in, LaneMask mask) {
  const u64* state = w.lanes<u64>(in.src[0]);
  u32* d = w.lanes<u32>(in.dst);
  for_lanes(mask, [&](int i) { d[i] = Mbarrier::pending_of(state[i]); });
}

void bind_place(Binder& b, Instr& out, std::size_t operand) {
  AddressSpec where = bind_address(b, b.operand(operand));
  out.src[0] = where.base;
  out.extra = b.make(where);
}

void bind_counted(Binder& b, Instr& out, Handler fn) {
  bind_place(b, out, 0);
  out.src[1] = b.source(1, ptx::Type::U32);
  out.fn = fn;
}

void bind_any_arrive(Binder& b, Instr& out, std::uint8_t flags) {
  bind_place(b, out, 1);
  out.dst = b.dest(std::size_t{0});
  if (b.has("expect_tx")) flags |= kExpectTx;
  if (b.has("noComplete")) flags |= kNoComplete;
  if (b.operand_count() > 2) {
    out.src[1] = b.source(2, ptx::Type::U32);
    if (!(flags & kExpectTx)) flags |= kHasCount;
  } else if (flags & kExpectTx) {
    b.unsupported("expect_tx needs a number of bytes");
  } else {
    out.src[1] = b.constant(1, 4);
  }
  out.flags = flags;
  out.fn = arrive;
}

void bind_wait(Binder& b, Instr& out) {
  bind_place(b, out, 1);
  out.dst = b.dest(std::size_t{0});
  out.flags = b.has("parity") ? kParity : 0;
  out.src[1] = b.source(2, out.flags ? ptx::Type::U32 : ptx::Type::B64);
  out.fn = test;
}

}  // namespace

void bind_mbarrier_init(Binder& b, Instr& out) { bind_counted(b, out, init); }
void bind_mbarrier_expect_tx(Binder& b, Instr& out) { bind_counted(b, out, expect_tx); }
void bind_mbarrier_complete_tx(Binder& b, Instr& out) { bind_counted(b, out, complete_tx); }
void bind_mbarrier_inval(Binder& b, Instr& out) {
  bind_place(b, out, 0);
  out.fn = invalidate;
}
void bind_mbarrier_arrive(Binder& b, Instr& out) { bind_any_arrive(b, out, 0); }
void bind_mbarrier_arrive_drop(Binder& b, Instr& out) { bind_any_arrive(b, out, kDrop); }
void bind_mbarrier_test_wait(Binder& b, Instr& out) { bind_wait(b, out); }
void bind_mbarrier_try_wait(Binder& b, Instr& out) { bind_wait(b, out); }
void bind_mbarrier_pending_count(Binder& b, Instr& out) {
  out.dst = b.dest(std::size_t{0});
  out.src[0] = b.source(1, ptx::Type::B64);
  out.fn = pending_count;
}

}  // namespace emu::exec
