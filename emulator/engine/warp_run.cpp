// SPDX-License-Identifier: MIT
// One warp: which split runs, how lanes part and meet again, when a split gives way.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "access/access.hpp"
#include "engine/engine.hpp"
#include "engine/meeting.hpp"
#include "engine/splits.hpp"
#include "explore/visibility.hpp"

namespace emu::exec {
namespace {

// Back edges a split may take before it gives way. One that closes a loop which waits for others,
// while nothing in memory has changed, costs kSpinCost of them.
constexpr std::int32_t kBudget = 4096;
constexpr std::int32_t kSpinCost = 64;

// The lanes whose entry of a branch table is that of the first of them.
LaneMask same_target(const Warp& warp, const Instr& in, LaneMask on) {
  const auto* index = warp.lanes<std::uint32_t>(in.src[0]);
  LaneMask same = 0;
  for_lanes(on, [&](int lane) { same |= LaneMask{index[lane] == index[first_lane(on)]} << lane; });
  return same;
}

}  // namespace

// The lanes `on` take a branch, the others do not. A schedule that decides itself who goes first has no lanes that run ahead.
const Instr* Engine::part_ways(Warp& warp, const Instr& in, LaneMask on, const Instr* target) {
  const Instr* const next = &in + 1;
  const bool in_step = mode_ == Mode::Interleaved || grid_.lock_step;
  if (in.taken_leave && !in_step) return leave(warp, on, target, next);
  if (in.others_leave && !in_step) return leave(warp, warp.active & ~on, next, target);
  if (on == 0) return next;
  return on == warp.active ? target : diverge(warp, on, target, next);
}

Outcome Engine::run_warp(Warp& warp) {
  current_ = &warp;
  warp.budget = kBudget;
  const std::uint64_t before = grid_.clock;
  while (select(warp)) {
    execute_split(warp);
    warp.active = 0;
  }
  warp.executed += grid_.clock - before;
  bool gave_way = false;
  for (Split& s : warp.splits) {
    gave_way |= s.state == Split::State::Ready;
    s.yielded = false;
  }
  if (warp.live == 0) return Outcome::Exited;
  return gave_way ? Outcome::Yielded : Outcome::Blocked;
}

void Engine::find_passes(const Code& code) {
  passes_code_ = &code;
  passes_ = grid_.observer->passes(code);
  each_ = grid_.observer->wants_each(code);
}

// Where the running split is, in the way that `kWatch` and `kMode` need it. A thing of execute() alone:
// all of it is to stay in registers.
template <Engine::Watch kWatch, Engine::Mode kMode>
struct Engine::Cursor {
  Engine& engine;
  Warp& warp;
  Grid& grid = engine.grid_;
  const Instr* ip = warp.pc;
  const Instr* stop = nullptr;
  LaneMask active = 0;
  // Watch::Sums: how many lanes are active, where the passes of the first instruction are, and since where and since when what has
  // been executed on end is not yet among them. As many instructions as the clock has gone on: to count them twice takes a register.
  std::uint64_t lanes = 0;
  observe::Passes* passes = nullptr;
  const Instr *first = nullptr, *begin = nullptr;
  std::uint64_t since = 0;
  // Other modes than the ordinary one: what the instructions of this function are to others.
  const std::uint8_t* steps = nullptr;

  Cursor(Engine& of, Warp& runs) : engine(of), warp(runs) {
    begin_pass();
    note_split();
  }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor() { end_pass(); }  // also when an instruction faults

  [[gnu::always_inline]] void end_pass() {
    if constexpr (kWatch != Watch::Nobody) {
      const auto executed = static_cast<std::ptrdiff_t>(grid.clock - since);
      if (executed && (kWatch == Watch::Sums || passes))
        passes[begin - first].begin(passes[begin - first + executed], lanes);
    }
  }
  [[gnu::always_inline]] void begin_pass() {
    if constexpr (kWatch != Watch::Nobody) begin = ip, since = grid.clock;
  }
  [[gnu::always_inline]] void note_split() {
    active = warp.active;
    stop = warp.stop;
    if constexpr (kWatch != Watch::Nobody) {
      const Code& code = *warp.frame->code;
      lanes = static_cast<std::uint64_t>(std::popcount(active));
      passes = engine.passes_of(code);
      first = code.instrs.data();
    }
    if constexpr (kMode != Mode::Ordinary) steps = steps_of(*warp.frame->code);
  }
  // Goes on at a place, perhaps with other lanes or in another function. False: it does not go on.
  [[gnu::always_inline]] bool resume(const Instr* at) {
    end_pass();
    ip = at;
    begin_pass();
    if (ip) note_split();
    return ip != nullptr;
  }
  [[gnu::always_inline]] void jump(const Instr* to) {
    end_pass();
    ip = to;
    begin_pass();
  }
  [[gnu::always_inline]] void next() { ++ip; }
  [[gnu::always_inline]] void count(const Instr& in, LaneMask on) {
    ++grid.clock;
    if constexpr (kWatch == Watch::Each) warp.observer->instruction(warp, in, active, on);
    if constexpr (kWatch != Watch::Nobody) {
      if (on != active && (kWatch == Watch::Sums || passes)) [[unlikely]]
        passes[ip - first].off += static_cast<std::uint64_t>(std::popcount(active & ~on));
    }
  }
  [[gnu::always_inline]] void count_branch(const Instr& in, LaneMask on) {
    if (in.flow != Flow::Branch && in.flow != Flow::BranchTable) return;
    const LaneMask taken = in.flow == Flow::Branch ? on : same_target(warp, in, on);
    if constexpr (kWatch == Watch::Each) warp.observer->branch(warp, in, taken, active & ~taken);
    if constexpr (kWatch != Watch::Nobody) {
      if (taken && taken != active && (kWatch == Watch::Sums || passes))
        ++passes[ip - first].divergent;
    }
  }
  [[gnu::always_inline]] bool others_see(const Instr& in, LaneMask on) const {
    const auto step = static_cast<Step>(steps[ip - warp.frame->code->instrs.data()]);
    return on && step != Step::Own && exec::others_see(warp, in, step, on);
  }
};

// Runs the selected split until it ends, waits or gives way.
template <Engine::Watch kWatch, Engine::Mode kMode>
void Engine::execute(Warp& warp) {
  Cursor<kWatch, kMode> at(*this, warp);
  [[maybe_unused]] bool permitted = kMode == Mode::Interleaved && std::exchange(permitted_, false);
  for (;;) {
    if (at.ip >= at.stop) [[unlikely]] {
      if (!at.resume(join(warp, at.ip))) return;
    }
    const Instr& in = *at.ip;
    const LaneMask on = at.active & (warp.predicate(in.guard) ^ in.guard_flip);
    warp.pc = at.ip;
    [[maybe_unused]] bool seen = false;  // others see it
    if constexpr (kMode != Mode::Ordinary) seen = at.others_see(in, on);
    if constexpr (kMode == Mode::Interleaved) {
      if (seen && !std::exchange(permitted, false)) {
        if (!at.resume(hold(warp, in, on))) return;
        continue;
      }
    }
    at.count(in, on);
    if (in.flow == Flow::Next) [[likely]] {
      if (on) [[likely]] {
        const auto run = [&] {
          kMode != Mode::Ordinary&& seen ? perform(warp, in, on) : in.fn(warp, in, on);
          at.next();
        };
        if constexpr (kWatch != Watch::Nobody) {
          if (in.site) {
            observe_access(warp, in, on);
            run();
            if (kWatch != Watch::Sums || !warp.observer->follows) [[likely]]
              continue;
            warp.pc = at.ip;  // execute_watched() goes on
            return;
          }
        }
        run();
        continue;
      }
      at.next();
      continue;
    }
    if constexpr (kWatch != Watch::Nobody) at.count_branch(in, on);
    if (in.plain_branch) {
      if (on == at.active) {
        at.jump(warp.frame->code->instrs.data() + in.target);
        continue;
      }
      if (on == 0) {
        at.next();
        continue;
      }
    }
    if constexpr (kMode != Mode::Ordinary) note_control(warp, in, on);
    if (!at.resume(control(warp, in, on))) return;
  }
}

template <Engine::Mode kMode>
void Engine::execute_watched(Warp& warp) {
  if (!warp.observer) {
    execute<Watch::Nobody, kMode>(warp);
  } else if (!warp.observer->follows && passes_of(*warp.frame->code) && !each_) {
    execute<Watch::Sums, kMode>(warp);
    if (warp.observer->follows) execute<Watch::Each, kMode>(warp);
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
    case Mode::Interleaved:
      return execute_watched<Mode::Interleaved>(warp);
  }
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
  // Other warps may have their turn, but none of the lanes that are ahead.
  if (grid_.lock_step) {
    for (Split& s : warp.splits) s.yielded = true;
  }
  // The next split's turn. Choosing a split does not renew the budget: lanes that part in each
  // round of a loop are chosen again and again, and would never give way.
  warp.budget = kBudget;
  return nullptr;
}

const Instr* Engine::control(Warp& warp, const Instr& in, LaneMask on) {
  const Instr* const next = &in + 1;
  const Instr* const base = warp.frame->code->instrs.data();
  switch (in.flow) {
    case Flow::Branch: {
      const Instr* const target = base + in.target;
      if (on == 0) return in.others_leave ? part_ways(warp, in, on, target) : next;
      const Instr* to = target;
      if (on != warp.active || in.taken_leave) to = part_ways(warp, in, on, target);
      if (!in.back_edge || to != target) return to;
      if (!warp.splits.empty() && !(to = go_back(warp, to))) return nullptr;
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
      return calls_.call(warp, in, on);
    case Flow::Return:
      return calls_.leave(warp, in, on);
    case Flow::Exit:
      return calls_.exit_lanes(warp, in, on);
    case Flow::Sync:
      return on ? meet_lanes(warp, in, on) : next;
    case Flow::Barrier:
      return on ? meet_warps(warp, in, on) : next;
    case Flow::ClusterBarrier:
      return on ? meet_blocks(warp, in, on) : next;
    case Flow::Yield:
      if (on && in.fn) act(warp, in, on);
      return give_way(warp, next);
    case Flow::Next:
    case Flow::Trap:
      break;
  }
  return next;
}

}  // namespace emu::exec
