// SPDX-License-Identifier: MIT
// The loop of a seeded launch: choose a thread, let it make its operation and run on to the next.
#include <algorithm>

#include "access/access.hpp"
#include "access/async_copy.hpp"
#include "engine/engine.hpp"
#include "engine/splits.hpp"
#include "explore/interleaver.hpp"
#include "explore/visibility.hpp"
#include "explore/weak_memory.hpp"

namespace emu::exec {
// The lanes of `on` stop here until they are chosen; the others pass by.
const Instr* Engine::hold(Warp& warp, const Instr& in, LaneMask on) {
  const auto pc = static_cast<std::uint32_t>(&in - warp.frame->code->instrs.data());
  const auto same = std::find_if(warp.splits.begin(), warp.splits.end(), [&](const Split& s) {
    return s.state == Split::State::Operation && s.pc == pc && s.frame == warp.frame;
  });
  if (same != warp.splits.end()) {
    same->mask |= on;
  } else {
    park(warp, &in, on, Split::State::Operation);
  }
  interleaver_->wait(warp, on, in.row == ptx::Row::activemask);
  warp.active &= ~on;
  return warp.active ? &in + 1 : nullptr;
}

// Calls the handler, by way of the weak memory where there is one.
void Engine::act(Warp& warp, const Instr& in, LaneMask on) {
  if (grid_.weak) {
    grid_.weak->run(warp, in, on);
  } else {
    in.fn(warp, in, on);
  }
}

// An operation that others see. A tracer wants the values of each lane: lanes act in order anyway.
void Engine::perform(Warp& warp, const Instr& in, LaneMask on) {
  observe::Tracer* const tracer = request_.tracer;
  if (!tracer) return act(warp, in, on);
  if (!in.access) {
    act(warp, in, on);
    return tracer->event(warp, in, on);
  }
  for (LaneMask m = on; m; m &= m - 1) {
    const int lane = first_lane(m);
    tracer->before(warp, in, lane);
    act(warp, in, LaneMask{1} << lane);
    tracer->after(warp, in, lane);
  }
}

// Before control(): what the schedule and the tracer want to know.
void Engine::note_control(Warp& warp, const Instr& in, LaneMask on) {
  if (!on) return;
  switch (in.flow) {
    case Flow::Branch:
      if (interleaver_ && in.back_edge && in.spin_edge) interleaver_->spin(warp, on);
      return;
    case Flow::Return:
    case Flow::Exit:
      met_ |= in.flow == Flow::Exit || !warp.frame->caller;
      return;
    case Flow::Yield:
      if (interleaver_) interleaver_->sleep(warp, on);
      break;
    case Flow::Barrier:
    case Flow::ClusterBarrier:
      met_ = true;
      break;
    case Flow::Sync:
      if (in.row != ptx::Row::bar_warp) return;
      break;
    default:
      return;
  }
  if (request_.tracer) request_.tracer->event(warp, in, on);
}

// Runs all lanes that need not wait, each to its next operation.
void Engine::advance(Warp& warp) {
  current_ = &warp;
  while (has_ready(warp)) {
    run_warp(warp);
    warp.active = 0;
    if (grid_.clock > limit_) over_limit();
  }
}

// The chosen lane makes its operation and runs on.
void Engine::step(Warp& warp, int lane) {
  const auto here = std::find_if(warp.splits.begin(), warp.splits.end(), [&](const Split& s) {
    return s.state == Split::State::Operation && (s.mask >> lane & 1);
  });
  const Instr& in = here->frame->code->instrs[here->pc];
  LaneMask lanes = LaneMask{1} << lane;
  if (in.row == ptx::Row::activemask) lanes = interleaver_->companions(warp, here->mask, lane);
  Frame* const frame = here->frame;
  here->mask &= ~lanes;
  if (!here->mask) warp.splits.erase(here);
  current_ = &warp;
  warp.active = lanes;
  enter(warp, frame);
  warp.pc = &in;
  find_stop(warp);
  std::uint64_t addresses[kLanes] = {};
  if (in.access) {
    effective(warp, static_cast<const MemorySpec*>(in.extra)->where, LaneMask{1} << lane,
              addresses);
  }
  const auto pc = static_cast<std::uint64_t>(&in - frame->code->instrs.data());
  interleaver_->act(warp, lane, pc, addresses[lane]);
  permitted_ = true;
  execute_split(warp);
  warp.active = 0;
  advance(warp);
}

// After barriers and exits: warps of the same cluster may go on, blocks may have ended. Returns
// whether the whole cluster has.
bool Engine::settle(Block& block) {
  const std::vector<Block*> cluster = block.cluster;
  for (bool again = true; again;) {
    again = false;
    for (Block* b : cluster) {
      for (auto& warp : b->warps) {
        if (!has_ready(*warp)) continue;
        advance(*warp);
        again = true;
      }
    }
  }
  bool finished = true;
  for (Block* b : cluster) {
    if (!b->finished && b->live_warps == 0) {
      finish_async(*b);
      b->finished = true;
      if (grid_.observer) grid_.observer->block_end(*b);
    }
    finished &= b->finished;
  }
  return finished;
}

void Engine::fill() {
  while (next_cluster_ < clusters_ && active_.size() < most_clusters()) {
    start_cluster();
    if (settle(*active_.back()->blocks.front())) retire(active_.size() - 1);
  }
}

Engine::Turn Engine::turn_interleaved() {
  if (next_cluster_ == 0) fill();
  if (active_.empty()) return Turn::Over;
  const auto [warp, lane] = interleaver_->choose();
  if (!warp) stuck(false);
  met_ = false;
  step(*warp, lane);
  if (met_ && settle(*warp->block)) {
    const Block* first = warp->block->cluster.front();
    const auto done = std::find_if(active_.begin(), active_.end(), [&](const auto& cluster) {
      return cluster->blocks.front().get() == first;
    });
    retire(static_cast<std::size_t>(done - active_.begin()));
    fill();
  }
  if (active_.empty()) return Turn::Over;
  if (interleaver_->livelocked()) return Turn::Stuck;
  if (grid_.clock > limit_) over_limit();
  if (grid_.clock >= next_report_) report_progress();
  return Turn::Going;
}

}  // namespace emu::exec
