// SPDX-License-Identifier: MIT
#include "timing/critical_path.hpp"

#include <algorithm>

#include "counters/ptxas/branches.hpp"
#include "counters/ptxas/instruction_kinds.hpp"
#include "timing/costs.hpp"
#include "timing/loops.hpp"
#include "timing/schedule.hpp"
#include "timing/sections.hpp"
#include "timing/unrolling.hpp"

namespace emu::observe {
namespace {

using exec::Instr;
using ptx::Instruction;
using ptx::Operand;
using ptx::Row;

// When each register is there, in cycles from the start.
class Scoreboard {
 public:
  explicit Scoreboard(std::size_t registers) : ready_(registers, 0) {}
  double latest(const Operand& op) const {
    double at = op.reg < ready_.size() ? ready_[op.reg] : 0;
    for (const Operand& part : op.parts) at = std::max(at, latest(part));
    return at;
  }
  double latest(std::uint32_t reg) const { return reg < ready_.size() ? ready_[reg] : 0; }
  double latest() const {
    return ready_.empty() ? 0 : *std::max_element(ready_.begin(), ready_.end());
  }
  void set(const Operand& op, double at) {
    if (op.kind == Operand::Kind::Address) return;
    if (op.reg < ready_.size()) ready_[op.reg] = at;
    for (const Operand& part : op.parts) set(part, at);
  }

 private:
  std::vector<double> ready_;
};

class Walk {
 public:
  Walk(const exec::Code& code, std::span<const Tally> tally, const WalkInput& in)
      : code_(code),
        tally_(tally),
        in_(in),
        registers_(code.function->registers.size()),
        loops_(find_loops(code, tally)),
        entered_(code.instrs.size()),
        started_(code.instrs.size()),
        piped_before_(code.instrs.size()),
        steps_(code.instrs.size()) {
    for (std::size_t i = 0; i < code.instrs.size(); ++i) {
      if (!loops_[i].end) continue;
      find_carried(code, tally, i, loops_[i]);
      find_unrolling(code, i, loops_[i]);
    }
    together_ = far_lines_together(code, tally, in.sources, loops_);
  }
  std::vector<Step> run() {
    std::vector<Cost> costs(code_.instrs.size());
    for (std::size_t i = 0; i < costs.size(); ++i)
      if (tally_[i].executed && code_.instrs[i].source)
        costs[i] = cost_of(code_.instrs[i], in_, in_.sources[i], 1);
    for (const Part& part : Schedule(code_, tally_, loops_).parts(costs)) {
      begin(part);
      for (const std::size_t i : part.order) step(i);
    }
    for (std::size_t i = 0; i < code_.instrs.size(); ++i)
      if (loops_[i].unrolled > 1) unroll(i, loops_[i]);
    count_trips(loops_, tally_, in_.block_warps, steps_);
    find_sections(code_, tally_, steps_);
    return std::move(steps_);
  }

 private:
  void begin(const Part& part) {
    if (loops_[part.first].end) enter_loop();
    if (!part.goes_on) block_from_ = now_;
    part_from_ = entered_[part.first] = now_;
    piped_before_[part.first] = piped_;
  }

  void step(std::size_t i) {
    const Instr& at = code_.instrs[i];
    const Instruction& ins = *at.source;
    const Cost cost = cost_here(i);
    const bool called = calls(at.row, ins);
    const double needed = needed_by(i);
    double start = std::max(now_, needed);
    if (releases(ins)) start = std::max(start, registers_.latest());  // of what was read before
    if (at.flow == exec::Flow::Branch && at.target <= i) start = std::max(start, round_ends(i));
    if (const std::size_t until = guarded_until(code_, i)) {
      guarded_ = {i, until, needed};
      start = now_;
    }
    started_[i] = start;
    const double queued = queue_up(i, start);
    if (writes_first(at.row) && !ins.operands.empty()) {
      // What was known before a call or a barrier is computed there.
      const bool earlier = part_from_ > block_from_ && needed <= part_from_ && !called &&
                           at.flow == exec::Flow::Next &&
                           ptx::info(at.row).others == ptx::Others::Own;
      const double made = earlier ? std::max(needed, block_from_) : start;
      registers_.set(ins.operands[0], made + queued + (called ? 0 : cost.stall) +
                                          std::max(cost.issue, cost.latency));
    }
    // A copy costs nothing, but what it copies may not be there yet: the warp does not wait here.
    if (cost.issue == 0 && cost.stall == 0) return;
    const double end = start + cost.issue + cost.stall;
    steps_[i].cycles = end - now_;
    steps_[i].issue = cost.issue;
    steps_[i].passes = cost.passes;
    steps_[i].unit = cost.unit;
    steps_[i].unit_cycles = cost.unit_cycles;
    now_ = end;
    last_ = i;
  }

  // How long an access has to wait for those of its warp that the first-level cache is still busy with.
  double queue_up(std::size_t i, double start) {
    const double busy = pipe_cycles(code_.instrs[i], in_.sources[i]);
    if (busy == 0) return 0;
    const double served = std::max(start, pipe_free_);
    pipe_free_ = served + busy;
    piped_ += busy;
    return served - start;
  }

  // When all is there that it needs.
  double needed_by(std::size_t i) const {
    const Instr& at = code_.instrs[i];
    const Instruction& ins = *at.source;
    double needed = registers_.latest(ins.guard);
    if (needed > loop_from_) needed += kGuardLatency;
    if (i >= guarded_.from && i < guarded_.until) needed = std::max(needed, guarded_.since);
    for (std::size_t k = writes_first(at.row) ? 1 : 0; k < ins.operands.size(); ++k) {
      const double before = k == kDivisor ? inversion(at, *in_.timing) : 0;
      needed = std::max(needed, registers_.latest(ins.operands[k]) + before);
    }
    return needed;
  }

  // With what the place of an instruction adds to its cost.
  Cost cost_here(std::size_t i) const {
    const Instr& at = code_.instrs[i];
    Cost cost = cost_of(at, in_, in_.sources[i], together_[i]);
    // It is a short program of its own, with a branch: what follows waits until it has ended.
    if (calls(at.row, *at.source))
      cost.stall += std::max(0.0, cost.latency - in_.timing->arithmetic_latency - cost.issue);
    const bool decided = decides(i);
    if (decided) cost.stall += kBranch;
    if (!leaves_loop(i))
      cost.stall += std::max(in_.timing->parting_latency * parting_share(code_, tally_, i),
                             decided && tally_[i].divergent ? kMeet : 0.0);
    return cost;
  }

  // Cycles until the warp goes on behind a branch; and to wait for lanes that may have gone another way.
  static constexpr double kBranch = 6, kMeet = 10;
  // A branch that is one in the machine's code as well, forwards and not out of the kernel.
  bool decides(std::size_t i) const {
    const Instr& at = code_.instrs[i];
    if (at.flow != exec::Flow::Branch || at.target <= i || at.source->guard == ptx::kNoIndex ||
        at.target >= code_.instrs.size())
      return false;
    const exec::Flow behind = code_.instrs[at.target].flow;
    return behind != exec::Flow::Exit && behind != exec::Flow::Return &&
           !predicated_until(code_, i) && !skips_little(code_, i);
  }

  // Lanes that leave a loop wait behind it: the others go on alone.
  bool leaves_loop(std::size_t i) const {
    const Instr& at = code_.instrs[i];
    if (at.flow != exec::Flow::Branch) return false;
    if (at.target <= i) return true;
    for (std::size_t head = 0; head < i; ++head)
      if (loops_[head].end > i && at.target >= loops_[head].end) return true;
    return false;
  }

  // Cycles that a round takes at least because it needs what the one before has computed.
  double recurrence(std::size_t head, const Loop& loop) const {
    double most = 0;
    for (const Carried& c : loop.carried) most = std::max(most, recurrence(head, loop, c.reg));
    return most;
  }
  double recurrence(std::size_t head, const Loop& loop, std::uint32_t carried) const {
    constexpr double kNone = -1;
    std::vector<double> since(code_.function->registers.size(), kNone);
    since[carried] = 0;
    for (std::size_t i = head; i < loop.end; ++i) {
      const Instr& at = code_.instrs[i];
      if (tally_[i].executed == 0 || !at.source || !writes_first(at.row)) continue;
      const Instruction& ins = *at.source;
      double from = ins.guard < since.size() ? since[ins.guard] : kNone;
      for (std::size_t k = 1; k < ins.operands.size(); ++k)
        visit_registers(ins.operands[k],
                        [&](std::uint32_t reg) { from = std::max(from, since[reg]); });
      const Cost cost = cost_of(at, in_, in_.sources[i], together_[i]);
      const double to = from == kNone ? kNone : from + std::max(cost.latency, cost.issue);
      visit_registers(ins.operands[0], [&](std::uint32_t reg) { since[reg] = to; });
    }
    return since[carried];
  }

  // Several rounds become one: what counts them is done once, and their loads are on their way together.
  void unroll(std::size_t head, const Loop& loop) {
    double round = 0, issue = 0, piped = 0;
    for (std::size_t i = head; i < loop.end; ++i) {
      const Instr& at = code_.instrs[i];
      const bool counts = i + 1 == loop.end || at.row == Row::setp ||
                          (at.row == Row::add_int && at.source &&
                           at.source->operands[1].reg == at.source->operands[0].reg &&
                           at.source->operands.back().kind == Operand::Kind::Immediate);
      if (counts) {
        steps_[i].cycles /= loop.unrolled;
        steps_[i].issue /= loop.unrolled;
        steps_[i].unit_cycles /= loop.unrolled;
      }
      round += steps_[i].cycles;
      issue += steps_[i].issue;
      if (tally_[i].executed && code_.instrs[i].source)
        piped += pipe_cycles(code_.instrs[i], in_.sources[i]);
    }
    // What one round needs of the one before is not there sooner, nor is the first-level cache free for what it asks for.
    const double carried = std::max(recurrence(head, loop), piped);
    if (round < carried) {
      steps_[loop.end - 1].cycles += carried - round;
      round = carried;
    }
    if (!loop.overlaps || round <= 0) return;
    const double busy = std::max(issue, piped);
    const double now = std::max({carried, busy, busy + (round - busy) / loop.rounds_in_one});
    if (now >= round) return;
    for (std::size_t i = head; i < loop.end; ++i) steps_[i].cycles *= now / round;
  }

  // What was asked for before the loop is waited for once, not in every round.
  void enter_loop() {
    const double there = std::max(now_, registers_.latest());
    steps_[last_].cycles += there - now_;
    now_ = loop_from_ = there;
  }

  // When the next round can begin so that it does not have to wait longer than the first one did.
  double round_ends(std::size_t i) const {
    const std::size_t head = code_.instrs[i].target;
    const Loop& loop = loops_[head];
    double at = 0;
    if (loop.end != i + 1 || loop.waits) return at;
    at = entered_[head] + piped_ - piped_before_[head];
    for (const Carried& c : loop.carried)
      at = std::max(at, registers_.latest(c.reg) - (started_[c.first] - entered_[head]));
    return at;
  }

  const exec::Code& code_;
  std::span<const Tally> tally_;
  const WalkInput& in_;
  Scoreboard registers_;
  std::vector<Loop> loops_;
  std::vector<double> together_;  // lines from DRAM that are waited for with those of a load
  std::vector<double> entered_;   // when the part that begins there was
  std::vector<double> started_;   // each instruction
  // Cycles of the first-level cache for what this warp has asked for: all of them, those before each part, and until when.
  double piped_ = 0, pipe_free_ = 0;
  std::vector<double> piped_before_;
  std::vector<Step> steps_;
  double now_ = 0, loop_from_ = 0;         // the second: when the loop was entered
  double part_from_ = 0, block_from_ = 0;  // the second: with all parts that go on
  std::size_t last_ = 0;
  // Instructions that have a predicate instead of a branch before them, and when that is known.
  struct Guarded {
    std::size_t from = 0, until = 0;
    double since = 0;
  };
  Guarded guarded_;
};

}  // namespace

std::vector<Step> walk(const exec::Code& code, std::span<const Tally> tally, const WalkInput& in) {
  return Walk(code, tally, in).run();
}

}  // namespace emu::observe
