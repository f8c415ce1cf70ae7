// SPDX-License-Identifier: MIT
#include "timing/critical_path.hpp"

#include <algorithm>

#include "counters/instruction_kinds.hpp"
#include "timing/branches.hpp"
#include "timing/costs.hpp"
#include "timing/loops.hpp"
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

// Which loads may not be moved to before it.
struct Holds {
  bool global = false, shared = false;
};
Holds holds_back(const Instr& at, const Source& source) {
  switch (ptx::info(at.row).others) {
    case ptx::Others::Store:
    case ptx::Others::Atomic: {
      const bool shared = in_space(*at.source, "shared") || source.place == Source::Place::Shared;
      return {!shared, shared};
    }
    case ptx::Others::Fence:
      return {true, true};
    default: {
      const bool holds = at.flow != exec::Flow::Next && !exchanges(at.row);
      return {holds, holds};
    }
  }
}

bool can_move_up(const Instr& at) {
  const Instruction& ins = *at.source;
  return at.row == Row::ld && !ins.has("volatile") && !ins.has("relaxed") && !ins.has("acquire");
}

class Walk {
 public:
  Walk(const exec::Code& code, std::span<const Tally> tally, const WalkInput& in)
      : code_(code),
        tally_(tally),
        in_(in),
        registers_(code.function->registers.size()),
        early_(code.function->registers.size()),
        loops_(find_loops(code, tally)),
        reached_(code.instrs.size()),
        steps_(code.instrs.size()),
        begins_block_(code.instrs.size() + 1) {
    for (std::size_t i = 0; i < code.instrs.size(); ++i) {
      if (code.instrs[i].flow == exec::Flow::Branch && !skips_little(code, i) &&
          !predicated_until(code, i))
        begins_block_[code.instrs[i].target] = true;
      if (!loops_[i].end) continue;
      find_carried(code, tally, i, loops_[i]);
      find_unrolling(code, i, loops_[i]);
    }
    together_ = far_lines_together(code, tally, in.sources, loops_);
  }
  std::vector<Step> run() {
    for (std::size_t i = 0; i < code_.instrs.size(); ++i)
      if (tally_[i].executed && code_.instrs[i].source) step(i);
    for (std::size_t i = 0; i < code_.instrs.size(); ++i)
      if (loops_[i].unrolled > 1) unroll(i, loops_[i]);
    count_trips(loops_, tally_, in_.block_warps, steps_);
    find_sections(code_, tally_, steps_);
    return std::move(steps_);
  }

 private:
  void step(std::size_t i) {
    const Instr& at = code_.instrs[i];
    if (loops_[i].end) enter_loop();
    if (begins_block_[i]) block_from_ = global_from_ = shared_from_ = now_;
    reached_[i] = now_;
    const Instruction& ins = *at.source;
    const Cost cost = cost_here(i);
    const bool called = calls(at.row, ins);
    const std::size_t first_read = writes_first(at.row) ? 1 : 0;
    double needed = registers_.latest(ins.guard);
    if (needed > loop_from_ && decides(i)) needed += kPredicate;
    double early = early_.latest(ins.guard);
    if (i < predicated_until_) needed = std::max(needed, predicate_at_);
    for (std::size_t k = first_read; k < ins.operands.size(); ++k) {
      const double before = k == kDivisor ? inversion(at, *in_.timing) : 0;
      needed = std::max(needed, registers_.latest(ins.operands[k]) + before);
      early = std::max(early, early_.latest(ins.operands[k]) + before);
    }
    double start = std::max(now_, needed);
    if (at.flow == exec::Flow::Branch && at.target <= i) start = std::max(start, round_ends(i));
    const std::size_t predicated = predicated_until(code_, i);
    if (predicated) {
      predicated_until_ = predicated;
      predicate_at_ = needed;
      start = now_;
    }
    // The compiler asks for it as early as it can, and computes the address in time for that.
    const double asked = can_move_up(at) ? std::min(start, std::max(loads_from(i), early)) : start;
    if (first_read == 1 && !ins.operands.empty()) {
      const double takes = std::max(cost.issue, cost.latency);
      registers_.set(ins.operands[0], asked + (called ? 0 : cost.stall) + takes);
      const bool moves =
          at.flow == exec::Flow::Next && !called && ptx::info(at.row).others == ptx::Others::Own;
      early_.set(ins.operands[0], moves ? std::min(start, std::max(block_from_, early)) + takes
                                        : asked + (called ? 0 : cost.stall) + takes);
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
    if (predicated || skips_little(code_, i)) return;
    const Holds holds = holds_back(at, in_.sources[i]);
    if (holds.global) global_from_ = now_;
    if (holds.shared) shared_from_ = now_;
    if (called) block_from_ = global_from_ = shared_from_ = now_;
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
    cost.stall += std::max(in_.timing->parting_latency * parting_share(code_, tally_, i),
                           decided && tally_[i].divergent ? kMeet : 0.0);
    return cost;
  }

  double loads_from(std::size_t i) const {
    const Instruction& ins = *code_.instrs[i].source;
    if (ins.has("nc")) return block_from_;
    const bool shared = in_space(ins, "shared") || in_.sources[i].place == Source::Place::Shared;
    return shared ? shared_from_ : global_from_;
  }

  // Cycles until a branch knows what a comparison has found, beyond those of other instructions; until the warp goes on behind a
  // branch; and to wait for lanes that may have gone another way.
  static constexpr double kPredicate = 9, kBranch = 6, kMeet = 10;
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
    double round = 0, issue = 0;
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
    }
    // What one round needs of the one before is not there sooner.
    const double carried = recurrence(head, loop);
    if (round < carried) {
      steps_[loop.end - 1].cycles += carried - round;
      round = carried;
    }
    if (!loop.overlaps || round <= 0) return;
    const double least = std::max(carried, issue);
    const double now = std::max(least, issue + (round - issue) / loop.rounds_in_one);
    if (now >= round) return;
    for (std::size_t i = head; i < loop.end; ++i) steps_[i].cycles *= now / round;
  }

  // What was asked for before the loop is waited for once, not in every round.
  void enter_loop() {
    const double there = std::max(now_, registers_.latest());
    steps_[last_].cycles += there - now_;
    now_ = block_from_ = global_from_ = shared_from_ = loop_from_ = there;
  }

  // When the next round can begin so that it does not have to wait longer than the first one did.
  double round_ends(std::size_t i) const {
    const std::size_t head = code_.instrs[i].target;
    const Loop& loop = loops_[head];
    double at = 0;
    if (loop.end != i + 1 || loop.waits) return at;
    for (const Carried& c : loop.carried)
      at = std::max(at, registers_.latest(c.reg) - (reached_[c.first] - reached_[head]));
    return at;
  }

  const exec::Code& code_;
  std::span<const Tally> tally_;
  const WalkInput& in_;
  Scoreboard registers_;
  Scoreboard early_;  // ... if each instruction were made as soon as it can be in its block
  std::vector<Loop> loops_;
  std::vector<double> together_;  // lines from DRAM that are waited for with those of a load
  std::vector<double> reached_;   // when the warp came to each instruction
  std::vector<Step> steps_;
  std::vector<bool> begins_block_;
  // When the block began, when loads of each kind can be asked for at the earliest, and when the loop was entered.
  double block_from_ = 0, global_from_ = 0, shared_from_ = 0, loop_from_ = 0;
  double now_ = 0;
  std::size_t last_ = 0;
  // Instructions that have a predicate instead of a branch before them, and when that is there.
  std::size_t predicated_until_ = 0;
  double predicate_at_ = 0;
};

}  // namespace

std::vector<Step> walk(const exec::Code& code, std::span<const Tally> tally, const WalkInput& in) {
  return Walk(code, tally, in).run();
}

}  // namespace emu::observe
