// SPDX-License-Identifier: MIT
// The table of costs, and the walk.
#include "timing/critical_path.hpp"

#include <algorithm>
#include <cmath>

#include "counters/instruction_kinds.hpp"
#include "timing/loops.hpp"
#include "timing/sections.hpp"

namespace emu::observe {
namespace {

using devices::Timing;
using exec::Instr;
using ptx::Instruction;
using ptx::Operand;
using ptx::Row;
using ptx::Type;

// What one instruction costs a warp.
struct Cost {
  double issue = 1;  // turns of the scheduler: machine instructions, more where its unit is narrow
  double latency = 0;  // until its result can be used, from its start on
  double stall = 0;    // until the warp goes on
  double passes = 0;
  Unit unit = Unit::None;
  double unit_cycles = 0;
};

bool is_wide(Type type) {
  return type == Type::B64 || type == Type::U64 || type == Type::S64 || type == Type::F64;
}

// Divisions are no instructions of the machine: the compiler writes a dozen or a hundred.
Cost division(const Instruction& ins, const Timing& t) {
  const Type type = ins.type();
  if (!is_float(type)) {
    if (is_wide(type)) return {168, 490, 0, 0};
    return is_signed(type) ? Cost{31, 25 * t.arithmetic_latency, 0, 0}
                           : Cost{25, 21 * t.arithmetic_latency, 0, 0};
  }
  if (is_wide(type)) return {24, 124, 0, 0, Unit::Double, 26};
  if (ins.has("approx") || ins.has("full")) return {4, 40, 0, 0, Unit::Special, 8};
  return {17, 58, 0, 0, Unit::Special, 8};
}

// A divisor is inverted first, as a float: until then the dividend need not be there.
constexpr std::size_t kDivisor = 2;
double inversion(const Instr& at, const Timing& t) {
  const bool divides = at.row == Row::div_int || at.row == Row::rem_int;
  return divides && !is_wide(at.source->type()) ? 2 * t.special_latency : 0;
}

// `together`: how many lines from DRAM are waited for at the same time.
Cost load(const Instruction& ins, const Timing& t, const WalkInput& in, const Source& source,
          double together) {
  if (in_space(ins, "param")) return {0, 0, 0, 0};
  if (source.place == Source::Place::Cluster) return {1, t.cluster_latency, 0, 0};
  if (in_space(ins, "shared") || source.place == Source::Place::Shared)
    return {1, t.shared_latency + t.shared_pass_latency * (in.shared_passes - 1), 0, 0};
  if (in_space(ins, "const")) return {1, t.special_latency, 0, 0};
  if (in_space(ins, "local")) return {1, 2 * t.shared_latency, 0, 0};
  const double elsewhere = 1 - source.in_l1 - source.from_dram;
  // A warp waits for the last of its lines, and of many that come from all over DRAM one is late.
  constexpr double kLate = 0.11;
  const double late = 1 + kLate * std::log2(std::max(source.far_lines, together));
  return {1,
          t.l1_latency * source.in_l1 + t.l2_latency * elsewhere +
              t.dram_latency * late * source.from_dram + (source.tags - 1),
          0, 0};
}

// Half a warp at a time. Additions are not among them: the compiler makes products of some, so that both
// units have their share. Bits are counted and found in the unit of the special functions.
bool is_half_rate(Row row) {
  switch (row) {
    case Row::shl:
    case Row::shr:
    case Row::shf:
    case Row::min_int:
    case Row::max_int:
    case Row::min_float:
    case Row::max_float:
    case Row::selp:
    case Row::setp:
    case Row::bfe:
    case Row::bfi:
    case Row::prmt:
      return true;
    default:
      return false;
  }
}
bool counts_bits(Row row) {
  return row == Row::popc || row == Row::clz || row == Row::bfind || row == Row::brev;
}

Cost arithmetic(const Instr& at, const Timing& t) {
  const Instruction& ins = *at.source;
  const bool wide = is_wide(ins.type());
  if (wide && is_float(ins.type())) return {1, 2 * t.arithmetic_latency, 0, 0, Unit::Double, 2};
  const double words = wide ? 2 : 1;
  if (counts_bits(at.row)) return {words, 4 * t.arithmetic_latency, 0, 0, Unit::Special, 8 * words};
  Cost cost{words, t.arithmetic_latency + (wide ? 1 : 0), 0, 0};
  if (is_half_rate(at.row)) cost.unit = Unit::Integer, cost.unit_cycles = 2 * words;
  return cost;
}

// The units for these serve a warp in 2 and in 8 turns.
Cost multiplication(const Instruction& ins, const Timing& t) {
  return is_wide(ins.type())
             ? Cost{4, 4 * t.arithmetic_latency, 0, 0, Unit::Product, 8}
             : Cost{1, t.arithmetic_latency, 0, 0, Unit::Product, ins.has("wide") ? 4.0 : 2.0};
}
Cost special(const Instruction& ins, const Timing& t) {
  if (is_wide(ins.type())) return {20, 7 * t.special_latency, 0, 0, Unit::Double, 24};
  if (ins.has("approx") && ins.has("ftz")) return {1, t.special_latency, 0, 0, Unit::Special, 8};
  // Numbers below the normal ones are scaled before and after.
  if (ins.has("approx"))
    return {4, t.special_latency + 3 * t.arithmetic_latency, 0, 0, Unit::Special, 8};
  return {13, 3.5 * t.special_latency, 0, 0, Unit::Special, 8};
}

Cost conversion(const Instruction& ins, const Timing& t) {
  const bool floats = is_float(ins.type(0)) || is_float(ins.type(1));
  return floats ? Cost{1, 3 * t.arithmetic_latency, 0, 0, Unit::Special, 8} : Cost{0, 0, 0, 0};
}

// One value after the other is looked for, until every lane has found its own.
Cost match(const Instruction& ins, const Source& source, const Timing& t) {
  const double values = ins.has("all") ? 1 : source.matched;
  constexpr double kPasses = 2, kFirst = 0.05;
  return {1, t.match_latency * (kFirst + (1 - kFirst) * values / kWarpLanes), 0, kPasses * values};
}

// What was written before must have arrived: the machine has a fence of its own for that.
double release_wait(const Instruction& ins, const Timing& t) {
  const bool ordered = ins.has("release") || ins.has("acq_rel") || ins.has("sc");
  return ordered && !ins.has("cta") ? t.fence_latency : 0;
}

Cost cost_of(const Instr& at, const WalkInput& in, const Source& source, double together) {
  const Timing& t = *in.timing;
  const Instruction& ins = *at.source;
  switch (ptx::info(at.row).cost) {
    case ptx::Cost::Free:
      return {0, 0, 0, 0};
    case ptx::Cost::Move:
      if (ins.operands.size() > 1 && ins.operands[1].kind == Operand::Kind::Special)
        return {1, t.special_latency, 0, 0};
      return {0, 0, 0, 0};
    case ptx::Cost::Arithmetic:
      return arithmetic(at, t);
    case ptx::Cost::Product:
      return multiplication(ins, t);
    case ptx::Cost::Division:
      return division(ins, t);
    case ptx::Cost::Conversion:
      return conversion(ins, t);
    case ptx::Cost::Special:
      return special(ins, t);
    case ptx::Cost::Load:
      return load(ins, t, in, source, together);
    case ptx::Cost::Store:
      return {1, 0, release_wait(ins, t), 0};
    case ptx::Cost::Atomic:
      if (in_space(ins, "shared")) return {1, 2 * t.shared_latency, 0, 0};
      return {1, t.atomic_latency, release_wait(ins, t), 0};
    case ptx::Cost::Branch:
      return {1, 0, at.back_edge ? t.branch_latency : 0, 0};
    case ptx::Cost::Shuffle:
      return {1, t.shuffle_latency, 0, 1};
    case ptx::Cost::Vote:
      return {1, t.vote_latency, 0, 1};
    case ptx::Cost::Match:
      return match(ins, source, t);
    case ptx::Cost::Redux:
      return {1, t.redux_latency, 0, 2};
    case ptx::Cost::WarpSync:
      // Where the mask is no constant, the machine finds out who is there: it matches, reduces, votes and branches.
      if (ins.operands[0].kind != Operand::Kind::Immediate) return {5, 0, t.mask_sync_latency, 4};
      return {1, 0, t.warp_sync_latency, 0};
    case ptx::Cost::Barrier:
      return {1, 0, t.barrier_latency + t.barrier_per_warp * in.block_warps, 0};
    case ptx::Cost::ClusterBarrier:
      return {1, 0, ins.has("arrive") ? 0 : t.cluster_barrier_latency, 0};
    case ptx::Cost::Fence:
      return {1, 0, in_space(ins, "cta") ? t.warp_sync_latency : t.fence_latency, 0};
    case ptx::Cost::MbarrierTest:
      return {1, t.shared_latency, 0, 1};
  }
  return arithmetic(at, t);
}

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
    default:
      return {at.flow != exec::Flow::Next, at.flow != exec::Flow::Next};
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
      if (code.instrs[i].flow == exec::Flow::Branch && !skips_little(code, i))
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
    count_trips(loops_, tally_, steps_);
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
    Cost cost = cost_of(at, in_, in_.sources[i], together_[i]);
    cost.stall += in_.timing->parting_latency * parting_share(code_, tally_, i);
    const std::size_t first_read = writes_first(at.row) ? 1 : 0;
    double needed = registers_.latest(ins.guard), early = early_.latest(ins.guard);
    for (std::size_t k = first_read; k < ins.operands.size(); ++k) {
      const double before = k == kDivisor ? inversion(at, *in_.timing) : 0;
      needed = std::max(needed, registers_.latest(ins.operands[k]) + before);
      early = std::max(early, early_.latest(ins.operands[k]) + before);
    }
    double start = std::max(now_, needed);
    if (at.flow == exec::Flow::Branch && at.target <= i) start = std::max(start, round_ends(i));
    // The compiler asks for it as early as it can, and computes the address in time for that.
    const bool shared = in_space(ins, "shared") || in_.sources[i].place == Source::Place::Shared;
    double asked = start;
    if (can_move_up(at))
      asked = std::min(start, std::max(ins.has("nc") ? block_from_
                                       : shared      ? shared_from_
                                                     : global_from_,
                                       early));
    const double end = start + cost.issue + cost.stall;
    if (first_read == 1 && !ins.operands.empty()) {
      const double takes = std::max(cost.issue, cost.latency);
      registers_.set(ins.operands[0], asked + cost.stall + takes);
      const bool moves =
          at.flow == exec::Flow::Next && ptx::info(at.row).others == ptx::Others::Own;
      early_.set(ins.operands[0], moves ? std::min(start, std::max(block_from_, early)) + takes
                                        : asked + cost.stall + takes);
    }
    // A copy costs nothing, but what it copies may not be there yet: the warp does not wait here.
    if (cost.issue == 0 && cost.stall == 0) return;
    steps_[i].cycles = end - now_;
    steps_[i].issue = cost.issue;
    steps_[i].passes = cost.passes;
    steps_[i].unit = cost.unit;
    steps_[i].unit_cycles = cost.unit_cycles;
    now_ = end;
    last_ = i;
    if (skips_little(code_, i)) return;
    const Holds holds = holds_back(at, in_.sources[i]);
    if (holds.global) global_from_ = now_;
    if (holds.shared) shared_from_ = now_;
    if (calls(at.row, ins)) block_from_ = global_from_ = shared_from_ = now_;
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
                           at.source->operands.back().kind == Operand::Kind::Immediate);
      if (counts) {
        steps_[i].cycles /= loop.unrolled;
        steps_[i].issue /= loop.unrolled;
        steps_[i].unit_cycles /= loop.unrolled;
      }
      round += steps_[i].cycles;
      issue += steps_[i].issue;
    }
    if (!loop.overlaps || round <= 0) return;
    const double least = std::max(recurrence(head, loop), issue);
    const double now = std::max(least, issue + (round - issue) / loop.unrolled);
    if (now >= round) return;
    for (std::size_t i = head; i < loop.end; ++i) steps_[i].cycles *= now / round;
  }

  // What was asked for before the loop is waited for once, not in every round.
  void enter_loop() {
    const double there = std::max(now_, registers_.latest());
    steps_[last_].cycles += there - now_;
    now_ = block_from_ = global_from_ = shared_from_ = there;
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
  // When the block began, and when loads of each kind can be asked for at the earliest.
  double block_from_ = 0, global_from_ = 0, shared_from_ = 0;
  double now_ = 0;
  std::size_t last_ = 0;
};

}  // namespace

std::vector<Step> walk(const exec::Code& code, std::span<const Tally> tally, const WalkInput& in) {
  return Walk(code, tally, in).run();
}

}  // namespace emu::observe
