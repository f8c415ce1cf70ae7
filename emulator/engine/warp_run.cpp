// SPDX-License-Identifier: MIT
// One warp: which split runs, how lanes part and meet again, when a split gives way.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "access/access.hpp"
#include "engine/engine.hpp"
#include "explore/seeded.hpp"

namespace emu::exec {
namespace {

// Back edges a split may take before it gives way. One that closes a loop which waits for others,
// while nothing in memory has changed, costs kSpinCost of them.
constexpr std::int32_t kBudget = 4096;
constexpr std::int32_t kSpinCost = 64;

const Instr* instr_at(const Frame& frame, std::uint32_t pc) {
  return frame.code->instrs.data() + pc;
}

// Whether a runs before b: the one that lags, seen from the innermost function both are in.
bool lags(const Split& a, const Split& b) {
  const Frame *fa = a.frame, *fb = b.frame;
  std::uint32_t pa = a.pc, pb = b.pc;
  while (fa != fb) {
    if (fa->depth >= fb->depth) {
      pa = fa->return_to - 1;
      fa = fa->caller;
    } else {
      pb = fb->return_to - 1;
      fb = fb->caller;
    }
  }
  return pa != pb ? pa < pb : first_lane(a.mask) < first_lane(b.mask);
}

// The lanes whose entry of a branch table is that of the first of them.
LaneMask same_target(const Warp& warp, const Instr& in, LaneMask on) {
  const auto* index = warp.lanes<std::uint32_t>(in.src[0]);
  LaneMask same = 0;
  for_lanes(on, [&](int lane) { same |= LaneMask{index[lane] == index[first_lane(on)]} << lane; });
  return same;
}

}  // namespace

void Engine::enter(Warp& warp, Frame* frame) {
  warp.frame = frame;
  warp.areas[static_cast<std::size_t>(Area::Frame)] = frame->base;
  warp.areas[static_cast<std::size_t>(Area::Constant)] =
      const_cast<std::byte*>(frame->code->constants.data());
}

void Engine::park(Warp& warp, const Instr* at, LaneMask mask, Split::State state) {
  Split split;
  split.pc = static_cast<std::uint32_t>(at - warp.frame->code->instrs.data());
  split.mask = mask;
  split.frame = warp.frame;
  split.state = state;
  warp.splits.push_back(split);
}

// The lowest place where a ready split of the same frame waits.
void Engine::find_stop(Warp& warp) {
  // Behind the last instruction: never reached, every path ends in a return.
  const auto& instrs = warp.frame->code->instrs;
  const Instr* stop = instrs.data() + instrs.size();
  for (const Split& s : warp.splits) {
    if (s.state != Split::State::Ready || s.yielded || s.frame != warp.frame) continue;
    stop = std::min(stop, instr_at(*s.frame, s.pc));
  }
  warp.stop = stop;
}

// Takes the split that lags most out of the list and makes it the running one, with all that stand
// where it stands.
bool Engine::select(Warp& warp) {
  Split* best = nullptr;
  for (Split& s : warp.splits) {
    if (s.state != Split::State::Ready || s.yielded) continue;
    if (!best || lags(s, *best)) best = &s;
  }
  if (!best) return false;
  const std::uint32_t pc = best->pc;
  Frame* const frame = best->frame;
  warp.active = 0;
  std::erase_if(warp.splits, [&](const Split& s) {
    if (s.state != Split::State::Ready || s.pc != pc || s.frame != frame) return false;
    warp.active |= s.mask;
    return true;
  });
  enter(warp, frame);
  warp.pc = instr_at(*frame, pc);
  find_stop(warp);
  return true;
}

Outcome Engine::run_warp(Warp& warp) {
  current_ = &warp;
  warp.budget = kBudget;
  while (select(warp)) {
    execute_split(warp);
    warp.active = 0;
  }
  bool gave_way = false;
  for (Split& s : warp.splits) {
    gave_way |= s.state == Split::State::Ready;
    s.yielded = false;
  }
  if (warp.live == 0) return Outcome::Exited;
  return gave_way ? Outcome::Yielded : Outcome::Blocked;
}

observe::Tally* Engine::tally_of(const Code& code) {
  if (&code != tally_code_) {
    tally_code_ = &code;
    tally_ = grid_.observer->tally(code);
  }
  return tally_;
}

template <Engine::Mode kMode>
void Engine::execute_watched(Warp& warp) {
  if (!warp.observer) {
    execute<Watch::Nobody, kMode>(warp);
  } else if (tally_of(*warp.frame->code)) {
    execute<Watch::Sums, kMode>(warp);
  } else {
    execute<Watch::Each, kMode>(warp);
  }
}

void Engine::execute_split(Warp& warp) {
  switch (mode_) {
    case Mode::Ordinary:
      return execute_watched<Mode::Ordinary>(warp);
    case Mode::Traced:
      return execute_watched<Mode::Traced>(warp);
    case Mode::Seeded:
      return execute_watched<Mode::Seeded>(warp);
  }
}

// Runs the selected split until it ends, waits or gives way.
template <Engine::Watch kWatch, Engine::Mode kMode>
void Engine::execute(Warp& warp) {
  constexpr bool kWatched = kWatch != Watch::Nobody;
  const Instr* ip = warp.pc;
  const Instr* stop = warp.stop;
  LaneMask active = warp.active;
  // Watch::Sums: how many lanes are active, and where the sums of *ip are.
  [[maybe_unused]] std::uint64_t lanes = 0;
  [[maybe_unused]] observe::Tally* sums = nullptr;
  // Other modes than the ordinary one: what the instructions of this function are to others.
  [[maybe_unused]] const std::uint8_t* steps = nullptr;
  [[maybe_unused]] bool permitted = kMode == Mode::Seeded && std::exchange(permitted_, false);
  const auto note_place = [&] {
    if constexpr (kWatch == Watch::Sums) {
      const Code& code = *warp.frame->code;
      sums = tally_of(code) + (ip - code.instrs.data());
    }
  };
  const auto note_split = [&] {
    active = warp.active;
    stop = warp.stop;
    if constexpr (kWatch == Watch::Sums) lanes = static_cast<std::uint64_t>(std::popcount(active));
    note_place();
    if constexpr (kMode != Mode::Ordinary) steps = steps_of(*warp.frame->code);
  };
  note_split();
  for (;;) {
    if (ip >= stop) [[unlikely]] {
      ip = join(warp, ip);
      if (!ip) return;
      note_split();
    }
    const Instr& in = *ip;
    const LaneMask on = active & (warp.predicate(in.guard) ^ in.guard_flip);
    warp.pc = ip;
    [[maybe_unused]] bool seen = false;  // others see it
    if constexpr (kMode != Mode::Ordinary) {
      const auto step = static_cast<Step>(steps[ip - warp.frame->code->instrs.data()]);
      seen = on && step != Step::Own && others_see(warp, in, step, on);
      if constexpr (kMode == Mode::Seeded) {
        if (seen && !std::exchange(permitted, false)) {
          ip = hold(warp, in, on);
          if (!ip) return;
          note_split();
          continue;
        }
      }
    }
    ++grid_.clock;
    if constexpr (kWatch == Watch::Each) warp.observer->instruction(warp, in, active, on);
    if constexpr (kWatch == Watch::Sums) {
      ++sums->executed;
      sums->active += lanes;
      sums->on += on == active ? lanes : static_cast<std::uint64_t>(std::popcount(on));
    }
    if (in.flow == Flow::Next) [[likely]] {
      if (on) [[likely]] {
        if constexpr (kWatched) {
          if (in.site) observe_access(warp, in, on);
        }
        if constexpr (kMode != Mode::Ordinary) {
          seen ? perform(warp, in, on) : in.fn(warp, in, on);
        } else {
          in.fn(warp, in, on);
        }
      }
      ++ip;
      if constexpr (kWatch == Watch::Sums) ++sums;
      continue;
    }
    if constexpr (kWatched) {
      if (in.flow == Flow::Branch || in.flow == Flow::BranchTable) {
        const LaneMask taken = in.flow == Flow::Branch ? on : same_target(warp, in, on);
        if constexpr (kWatch == Watch::Each) {
          warp.observer->branch(warp, in, taken, active & ~taken);
        } else {
          sums->divergent += taken && taken != active;
        }
      }
    }
    if (in.flow == Flow::Branch && !in.back_edge) {
      if (on == active) {
        ip = warp.frame->code->instrs.data() + in.target;
        note_place();
        continue;
      }
      if (on == 0) {
        ++ip;
        if constexpr (kWatch == Watch::Sums) ++sums;
        continue;
      }
    }
    if constexpr (kMode != Mode::Ordinary) note_control(warp, in, on);
    ip = control(warp, in, on);
    if (!ip) return;
    note_split();
  }
}

// The running split has come to, or gone past, a place where another one waits.
const Instr* Engine::join(Warp& warp, const Instr* at) {
  const auto pc = static_cast<std::uint32_t>(at - warp.frame->code->instrs.data());
  if (at == warp.stop) {
    std::erase_if(warp.splits, [&](const Split& s) {
      if (s.state != Split::State::Ready || s.pc != pc || s.frame != warp.frame) return false;
      warp.active |= s.mask;
      return true;
    });
    find_stop(warp);
    return at;
  }
  park(warp, at, warp.active);
  return nullptr;
}

const Instr* Engine::diverge(Warp& warp, LaneMask taken, const Instr* target, const Instr* next) {
  const LaneMask rest = warp.active & ~taken;
  if (target < next) {
    park(warp, next, rest);
    warp.active = taken;
  } else {
    park(warp, target, taken);
    warp.active = rest;
  }
  find_stop(warp);
  return std::min(target, next);
}

void Engine::over_limit() {
  fault(FaultKind::InstructionLimit, -1,
        "the kernel has executed more than " + std::to_string(limit_) +
            " warp instructions and is taken for a run-away; set "
            "WARPLADDER_INSTRUCTION_LIMIT to allow more");
}

const Instr* Engine::give_way(Warp& warp, const Instr* resume) {
  if (grid_.clock > limit_) over_limit();
  if (grid_.clock >= next_report_) report_progress();
  park(warp, resume, warp.active);
  warp.splits.back().yielded = true;
  // The next split's turn. Choosing a split does not renew the budget: lanes that part in each
  // round of a loop are chosen again and again, and would never give way.
  warp.budget = kBudget;
  return nullptr;
}

// Lanes whose guard is off pass by; the others go on to `in`. Returns those that do.
LaneMask Engine::split_off(Warp& warp, const Instr& in, LaneMask on) {
  if (on != warp.active) {
    park(warp, &in + 1, warp.active & ~on);
    warp.active = on;
    find_stop(warp);
  }
  return on;
}

const Instr* Engine::control(Warp& warp, const Instr& in, LaneMask on) {
  const Instr* const next = &in + 1;
  const Instr* const base = warp.frame->code->instrs.data();
  switch (in.flow) {
    case Flow::Branch: {
      const Instr* const target = base + in.target;
      if (on == 0) return next;
      const Instr* to = target;
      if (on != warp.active) to = diverge(warp, on, target, next);
      if (!in.back_edge || to != target) return to;
      const bool spins = in.spin_edge && grid_.memory_changes == warp.seen_changes;
      warp.seen_changes = grid_.memory_changes;
      warp.budget -= spins ? kSpinCost : 1;
      return warp.budget > 0 ? to : give_way(warp, to);
    }
    case Flow::BranchTable: {
      if (on == 0) return next;
      split_off(warp, in, on);
      const auto& table = *static_cast<const std::vector<std::uint32_t>*>(in.extra);
      const auto* index = warp.lanes<std::uint32_t>(in.src[0]);
      // One target at a time: the lanes that go elsewhere come back to this instruction.
      const std::uint32_t chosen = index[first_lane(warp.active)];
      const LaneMask same = same_target(warp, in, warp.active);
      if (chosen >= table.size()) {
        fault(FaultKind::BadOperand, first_lane(warp.active),
              "brx.idx with index " + std::to_string(chosen) + ", the table has " +
                  std::to_string(table.size()) + " targets");
      }
      const LaneMask rest = warp.active & ~same;
      if (rest) park(warp, &in, rest);
      warp.active = same;
      const Instr* const target = base + table[chosen];
      if (target <= &in && --warp.budget <= 0) return give_way(warp, target);
      park(warp, target, same);
      return nullptr;
    }
    case Flow::Call:
      return call(warp, in, on);
    case Flow::Return:
      return leave(warp, in, on);
    case Flow::Exit:
      return exit_lanes(warp, in, on);
    case Flow::Sync:
      return on ? sync(warp, in, on) : next;
    case Flow::Barrier:
      return on ? barrier(warp, in, on) : next;
    case Flow::ClusterBarrier:
      return on ? cluster_barrier(warp, in, on) : next;
    case Flow::Yield:
      if (on && in.fn) act(warp, in, on);
      return give_way(warp, next);
    case Flow::Next:
      break;
  }
  return next;
}

}  // namespace emu::exec
