// SPDX-License-Identifier: MIT
// Where threads wait for each other: warp-level instructions with a member mask, the 16 barriers of
// a block, the barrier of a cluster.
#include "engine/meeting.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

#include "control/meeting.hpp"
#include "engine/report.hpp"
#include "engine/splits.hpp"
#include "explore/weak_memory.hpp"
#include "machine/source_place.hpp"

namespace emu::exec {
namespace {

std::string hex(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

const SyncOp& op_of(const Instr& in) { return *static_cast<const SyncOp*>(in.extra); }

// PTX asks for the same instruction with the same qualifiers, not for the same place in the
// program.
bool same_operation(const Instr& a, const Instr& b) {
  return &a == &b ||
         (a.row == b.row && a.source->mods == b.source->mods && a.source->types == b.source->types);
}

// "lanes 16-31 at reduce.cu:12", or their PTX where the source line is not known.
std::string lanes_at(const Split& s) {
  const ptx::Instruction& ins = *s.waits_at->source;
  const SourcePlace place = place_of(*s.frame->code, ins);
  return "lanes " + lane_list(s.mask) + " at " +
         (place.where.empty() ? "PTX line " + std::to_string(ins.text_line) : place.where);
}

void load_inputs(const Warp& warp, const Instr& in, LaneMask lanes, Exchange& x) {
  const SyncOp& op = op_of(in);
  if (op.predicate_input) {
    const LaneMask p = warp.predicate(in.src[0]) ^ static_cast<LaneMask>(in.imm);
    x.predicate |= p & lanes;
    return;
  }
  if (op.wide_input) {
    const auto* a = warp.lanes<std::uint64_t>(in.src[0]);
    for_lanes(lanes, [&](int lane) { x.wide[lane] = a[lane]; });
    return;
  }
  std::uint32_t* const inputs[] = {x.a, x.b, x.c};
  for (int i = 0; i < op.inputs; ++i) {
    const auto* from = warp.lanes<std::uint32_t>(in.src[i]);
    std::uint32_t* const to = inputs[i];
    for_lanes(lanes, [&](int lane) { to[lane] = from[lane]; });
  }
}

void store_results(const Warp& warp, const Instr& in, LaneMask lanes, const Exchange& x) {
  const SyncOp& op = op_of(in);
  if (op.value_result) {
    auto* d = warp.lanes<std::uint32_t>(in.dst);
    for_lanes(lanes, [&](int lane) { d[lane] = x.d[lane]; });
  }
  if (op.predicate_result) warp.set_predicate(in.dst2, lanes, x.result);
}

bool names_all_lanes(const std::uint32_t* members) {
  std::uint32_t missing = 0;
  for (int lane = 0; lane < kLanes; ++lane) missing |= ~members[lane];
  return missing == 0;
}

void permute(const Warp& warp, const Instr& in, const SyncOp& op) {
  std::uint32_t a[kLanes];
  std::memcpy(a, warp.lanes<std::uint32_t>(in.src[0]), sizeof a);
  auto* const d = warp.lanes<std::uint32_t>(in.dst);
  for (int lane = 0; lane < kLanes; ++lane) d[lane] = a[op.permutation->from[lane]];
  if (op.predicate_result) warp.predicate(in.dst2) = op.permutation->inside;
}

// __syncwarp() orders memory among its lanes; shuffles and votes do not.
void order_lanes(const Warp& warp, const Instr& in, const observe::Meeting& meeting) {
  if (warp.observer) warp.observer->met(warp, in, meeting);
  if (in.row != ptx::Row::bar_warp) return;
  if (WeakMemory* const weak = warp.block->grid->weak) weak->meet(warp, meeting.lanes);
}

observe::Meeting meeting_of(const SyncOp& op, LaneMask lanes, LaneMask members, const Exchange& x) {
  return {lanes, members, op.shuffles ? x.from : nullptr, op.matches ? x.d : nullptr};
}

// All that the mask names are here.
void exchange(const Warp& warp, const Instr& in, LaneMask lanes, LaneMask members) {
  const SyncOp& op = op_of(in);
  if (op.permutation && lanes == kAllLanes) {
    order_lanes(warp, in, {lanes, members, op.permutation->from});
    permute(warp, in, op);
    return;
  }
  if (!op.compute) return order_lanes(warp, in, {lanes, members});
  Exchange x;
  load_inputs(warp, in, lanes, x);
  op.compute(in, lanes, x);
  order_lanes(warp, in, meeting_of(op, lanes, members, x));
  store_results(warp, in, lanes, x);
}

// Executes `in` for all lanes that wait with this mask if they are complete.
bool complete_sync(Warp& warp, const Instr& in, LaneMask members) {
  const auto takes_part = [&](const Split& s) {
    return s.state == Split::State::WarpSync && s.wait_id == members &&
           same_operation(*s.waits_at, in);
  };
  LaneMask present = 0;
  for (const Split& s : warp.splits) {
    if (takes_part(s)) present |= s.mask;
  }
  if (present == 0 || present != (members & warp.live)) return false;
  Frame* const running = warp.frame;
  Exchange x;
  for (const Split& s : warp.splits) {
    if (!takes_part(s)) continue;
    enter(warp, s.frame);
    load_inputs(warp, *s.waits_at, s.mask, x);
  }
  if (op_of(in).compute) op_of(in).compute(in, present, x);
  order_lanes(warp, in, meeting_of(op_of(in), present, members, x));
  const Instr* const first = &in;  // `in` may be the place of one of them only
  for (Split& s : warp.splits) {
    if (s.state != Split::State::WarpSync || s.wait_id != members ||
        !same_operation(*s.waits_at, *first)) {
      continue;
    }
    enter(warp, s.frame);
    store_results(warp, *s.waits_at, s.mask, x);
    s.state = Split::State::Ready;
    ++s.pc;
  }
  enter(warp, running);
  find_stop(warp);
  return true;
}

void recheck_sync(Warp& warp) {
  for (bool again = true; again;) {
    again = false;
    for (const Split& s : warp.splits) {
      if (s.state != Split::State::WarpSync) continue;
      if (complete_sync(warp, *s.waits_at, s.wait_id)) {
        again = true;
        break;
      }
    }
  }
}

void check_barrier(Block& block, std::uint32_t id) {
  NamedBarrier& bar = block.barriers[id];
  const std::uint32_t expected = bar.expected ? bar.expected : block.live_warps * kLanes;
  if (bar.arrived == 0 || bar.arrived < expected) return;
  const std::uint32_t popc = bar.red_popc, total = bar.red_total;
  bar = NamedBarrier{};
  WeakMemory* const weak = block.grid->weak;
  const View known = weak ? weak->complete(block, id) : View{};
  observe::Observer* const observer = block.grid->observer;
  if (observer) observer->completed(block, id);
  for (auto& w : block.warps) {
    for (Split& s : w->splits) {
      if (s.state != Split::State::Barrier || s.wait_id != id || !s.counted) continue;
      const auto& op = *static_cast<const BarrierOp*>(s.waits_at->extra);
      auto* const base = s.frame->base + s.waits_at->dst.offset;
      if (op.reduce == BarrierOp::Reduce::Popc) {
        for_lanes(s.mask, [&](int lane) { reinterpret_cast<std::uint32_t*>(base)[lane] = popc; });
      } else if (op.reduce != BarrierOp::Reduce::None) {
        const bool holds = op.reduce == BarrierOp::Reduce::And ? popc == total : popc > 0;
        auto& word = *reinterpret_cast<LaneMask*>(base);
        word = (word & ~s.mask) | (holds ? s.mask : 0);
      }
      if (weak) weak->leave(*w, s.mask, known);
      if (observer) observer->left(*w, s.mask, id);
      s.state = Split::State::Ready;
      s.counted = false;
      ++s.pc;
    }
  }
}

// All lanes of the warp have come: those who only waited for each other, and not for the barrier, go on.
void pass_arrived(Warp& warp, std::uint32_t id) {
  for (Split& s : warp.splits) {
    if (s.state != Split::State::Barrier || s.wait_id != id) continue;
    if (static_cast<const BarrierOp*>(s.waits_at->extra)->waits) continue;
    s.state = Split::State::Ready;
    ++s.pc;
  }
}

// All lanes of the warp have come: it counts as 32 threads, whatever it has left.
void arrive_warp(Warp& warp, std::uint32_t id) {
  warp.at_barrier[id] = 0;
  for (Split& s : warp.splits) {
    if (s.state == Split::State::Barrier && s.wait_id == id) s.counted = true;
  }
  warp.block->barriers[id].arrived += kLanes;
  check_barrier(*warp.block, id);
}

void check_cluster(Block& block) {
  for (const Block* b : block.cluster) {
    for (const auto& w : b->warps) {
      if ((w->live & ~w->cluster_arrived) != 0) return;
    }
  }
  ++block.cluster_barrier->phase;
  WeakMemory* const weak = block.grid->weak;
  const View known = weak ? weak->complete(block, WeakMemory::kClusterBarrier) : View{};
  for (Block* b : block.cluster) {
    for (auto& w : b->warps) {
      w->cluster_arrived = 0;
      for (Split& s : w->splits) {
        if (s.state != Split::State::ClusterBarrier) continue;
        if (weak) weak->leave(*w, s.mask, known);
        if (w->observer) w->observer->left(*w, s.mask, observe::kClusterBarrier);
        s.state = Split::State::Ready;
        ++s.pc;
      }
    }
  }
}

}  // namespace

// ---- lanes of a warp

const Instr* meet_lanes(Warp& warp, const Instr& in, LaneMask on) {
  split_off(warp, in, on);
  const auto* members = warp.lanes<std::uint32_t>(in.src[3]);
  // Nearly always: one mask, and all it names are here.
  if (warp.active == kAllLanes && (op_of(in).whole_warp || names_all_lanes(members))) {
    exchange(warp, in, kAllLanes, kAllLanes);
    return &in + 1;
  }
  LaneMask todo = warp.active, done = 0;
  while (todo) {
    const LaneMask mask = members[first_lane(todo)];
    LaneMask group = 0;
    for_lanes(todo, [&](int lane) { group |= LaneMask{members[lane] == mask} << lane; });
    if (const LaneMask strangers = group & ~mask) {
      const int lane = first_lane(strangers);
      fault(FaultKind::LaneNotInMask, lane,
            "lane " + std::to_string(lane) + " executes a warp-level instruction with the mask " +
                hex(mask) + ", which does not name it");
    }
    todo &= ~group;
    if ((mask & warp.live) == group) {
      exchange(warp, in, group, mask);
      done |= group;
    } else {
      park(warp, &in, group, Split::State::WarpSync);
      warp.splits.back().wait_id = mask;
      warp.splits.back().waits_at = &in;
      complete_sync(warp, in, mask);
    }
  }
  if (done == warp.active) return &in + 1;
  if (done) park(warp, &in + 1, done);
  return nullptr;
}

// ---- warps of a block

const Instr* meet_warps(Warp& warp, const Instr& in, LaneMask on) {
  split_off(warp, in, on);
  const auto& op = *static_cast<const BarrierOp*>(in.extra);
  const int first = first_lane(warp.active);
  const auto* ids = warp.lanes<std::uint32_t>(in.src[0]);
  const std::uint32_t id = ids[first];
  LaneMask lanes = op.one_number ? warp.active : 0;
  if (!op.one_number) {
    for_lanes(warp.active, [&](int lane) { lanes |= LaneMask{ids[lane] == id} << lane; });
  }
  if (id >= kNamedBarriers) {
    fault(FaultKind::BadOperand, first,
          "barrier " + std::to_string(id) + " does not exist; a block has 0 to 15");
  }
  const std::uint32_t count = op.counted ? warp.lanes<std::uint32_t>(in.src[1])[first] : 0;
  if (op.counted && (count == 0 || count % kLanes != 0)) {
    fault(
        FaultKind::BadOperand, first,
        "a barrier for " + std::to_string(count) + " threads; the number must be a multiple of 32");
  }
  if (op.aligned) {
    for (const Split& s : warp.splits) {
      if (s.state != Split::State::Barrier || s.waits_at == &in) continue;
      fault(FaultKind::DivergentBarrier, first,
            "lanes of one warp wait at two different barriers (" + lanes_at(s) +
                "): __syncthreads() must be reached by all threads of the block at the same place");
    }
  }
  if (lanes != warp.active) {
    park(warp, &in, warp.active & ~lanes);
    warp.active = lanes;
  }
  if (warp.observer) warp.observer->barrier(warp, in, id);
  NamedBarrier& bar = warp.block->barriers[id];
  bar.expected = count;
  if (op.reduce != BarrierOp::Reduce::None) {
    const LaneMask p = warp.predicate(in.src[2]) ^ static_cast<LaneMask>(in.imm);
    bar.red_popc += static_cast<std::uint32_t>(std::popcount(p & lanes));
    bar.red_total += static_cast<std::uint32_t>(std::popcount(lanes));
  }
  warp.at_barrier[id] |= lanes;
  if (WeakMemory* const weak = warp.block->grid->weak) weak->arrive(warp, lanes, id);
  if (warp.observer) warp.observer->arrived(warp, in, lanes, id);
  const bool whole = (warp.at_barrier[id] & warp.live) == warp.live;
  // An aligned instruction is the whole warp's: no lane is at the next one before all have come to this one.
  const bool stays = op.waits || (op.aligned && !whole);
  if (stays) {
    park(warp, &in, lanes, Split::State::Barrier);
    warp.splits.back().wait_id = id;
    warp.splits.back().waits_at = &in;
  }
  if (whole) {
    if (!op.waits) pass_arrived(warp, id);
    arrive_warp(warp, id);
  }
  if (stays) return nullptr;
  find_stop(warp);
  return &in + 1;
}

// ---- blocks of a cluster

const Instr* meet_blocks(Warp& warp, const Instr& in, LaneMask on) {
  split_off(warp, in, on);
  Block& block = *warp.block;
  WeakMemory* const weak = block.grid->weak;
  if (in.flags & kClusterArrive) {
    if (const LaneMask twice = warp.cluster_arrived & warp.active) {
      fault(FaultKind::BadOperand, first_lane(twice),
            "barrier.cluster.arrive twice without a wait between");
    }
    for_lanes(warp.active,
              [&](int lane) { warp.cluster_phase[lane] = block.cluster_barrier->phase; });
    warp.cluster_arrived |= warp.active;
    if (weak && !in.source->has("relaxed"))
      weak->arrive(warp, warp.active, WeakMemory::kClusterBarrier);
    if (warp.observer) warp.observer->arrived(warp, in, warp.active, observe::kClusterBarrier);
    check_cluster(block);
    find_stop(warp);
    return &in + 1;
  }
  LaneMask waits = 0;
  for_lanes(warp.active, [&](int lane) {
    waits |= LaneMask{warp.cluster_phase[lane] == block.cluster_barrier->phase} << lane;
  });
  if (const LaneMask passes = warp.active & ~waits) {
    if (weak) weak->leave(warp, passes, weak->complete(block, WeakMemory::kClusterBarrier));
    if (warp.observer) warp.observer->left(warp, passes, observe::kClusterBarrier);
    if (!waits) return &in + 1;
    park(warp, &in + 1, passes);
  }
  park(warp, &in, waits, Split::State::ClusterBarrier);
  warp.splits.back().waits_at = &in;
  return nullptr;
}

// Lanes have exited: nobody waits for them any more.
void lanes_gone(Warp& warp) {
  Block& block = *warp.block;
  if (!warp.splits.empty()) recheck_sync(warp);
  for (std::uint32_t id = 0; id < kNamedBarriers; ++id) {
    if (warp.at_barrier[id] != 0 && (warp.at_barrier[id] & warp.live) == warp.live) {
      pass_arrived(warp, id);
      arrive_warp(warp, id);
    }
  }
  if (warp.live == 0) {
    --block.live_warps;
    for (std::uint32_t id = 0; id < kNamedBarriers; ++id) check_barrier(block, id);
  }
  if (block.cluster.size() > 1 || warp.cluster_arrived != 0) {
    bool anybody = false;
    for (const Block* b : block.cluster) {
      for (const auto& w : b->warps) anybody |= (w->live & w->cluster_arrived) != 0;
    }
    if (anybody) check_cluster(block);
  }
}

}  // namespace emu::exec
