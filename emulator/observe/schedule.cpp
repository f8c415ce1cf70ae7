// SPDX-License-Identifier: MIT
// The table of costs, and the walk.
#include "observe/schedule.hpp"

#include <algorithm>

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
  double issue = 1;    // machine instructions
  double latency = 0;  // until its result can be used
  double stall = 0;    // until the warp goes on
  double passes = 0;
};

bool is_wide(Type type) {
  return type == Type::B64 || type == Type::U64 || type == Type::S64 || type == Type::F64;
}

bool in_space(const Instruction& ins, std::string_view space) {
  for (auto m : ins.mods)
    if (m.substr(0, space.size()) == space) return true;
  return false;
}

// Divisions are no instructions of the machine: the compiler writes a dozen or a hundred.
Cost division(const Instruction& ins, const Timing& t) {
  const Type type = ins.type();
  double count = is_wide(type) ? 70 : 18;
  if (is_float(type)) count = is_wide(type) ? 30 : ins.has("approx") || ins.has("full") ? 3 : 9;
  return {count, count * t.arithmetic_latency * 1.5, 0, 0};
}

Cost load(const Instruction& ins, const Timing& t, const WalkInput& in, double in_l2) {
  if (in_space(ins, "param")) return {0, 0, 0, 0};
  if (in_space(ins, "shared")) return {1, t.shared_latency + in.shared_passes - 1, 0, 0};
  if (in_space(ins, "const")) return {1, t.special_latency, 0, 0};
  if (in_space(ins, "local")) return {1, 2 * t.shared_latency, 0, 0};
  return {1, t.l2_latency * in_l2 + t.dram_latency * (1 - in_l2), 0, 0};
}

Cost conversion(const Instruction& ins, const Timing& t) {
  const bool floats = is_float(ins.type(0)) || is_float(ins.type(1));
  return floats ? Cost{4, 3 * t.arithmetic_latency, 0, 0} : Cost{0, 0, 0, 0};
}

// What was written before must have arrived: the machine has a fence of its own for that.
double release_wait(const Instruction& ins, const Timing& t) {
  const bool ordered = ins.has("release") || ins.has("acq_rel") || ins.has("sc");
  return ordered && !ins.has("cta") ? t.fence_latency : 0;
}

Cost cost_of(const Instr& at, const Timing& t, const WalkInput& in, double in_l2) {
  const Instruction& ins = *at.source;
  switch (at.row) {
    case Row::mov:
      if (ins.operands.size() > 1 && ins.operands[1].kind == Operand::Kind::Special)
        return {1, t.special_latency, 0, 0};
      return {0, 0, 0, 0};
    case Row::cvta:
    case Row::ret:
    case Row::exit:
      return {0, 0, 0, 0};
    case Row::cvt:
      return conversion(ins, t);
    case Row::div_int:
    case Row::rem_int:
    case Row::div_float:
      return division(ins, t);
    case Row::ld:
    case Row::ldu:
      return load(ins, t, in, in_l2);
    case Row::atom:
      if (in_space(ins, "shared")) return {1, 2 * t.shared_latency, 0, 0};
      return {1, t.atomic_latency, release_wait(ins, t), 0};
    case Row::st:
    case Row::red:
      return {1, 0, release_wait(ins, t), 0};
    case Row::bra:
      return {1, 0, at.back_edge ? t.branch_latency : 0, 0};
    case Row::shfl:
      return {1, t.shuffle_latency, 0, 1};
    case Row::vote:
    case Row::elect:
    case Row::activemask:
      return {1, t.vote_latency, 0, 1};
    case Row::match:
      return {1, t.match_latency, 0, 64};
    case Row::redux:
      return {1, t.redux_latency, 0, 2};
    case Row::bar_warp:
      return {1, 0, t.warp_sync_latency, 0};
    case Row::bar:
    case Row::bar_red:
    case Row::barrier:
    case Row::barrier_red:
      return {1, 0, t.barrier_latency + t.barrier_per_warp * in.block_warps, 0};
    case Row::barrier_cluster:
      return {1, 0, ins.has("arrive") ? 0 : t.cluster_barrier_latency, 0};
    case Row::membar:
    case Row::fence:
      return {1, 0, in_space(ins, "cta") ? t.warp_sync_latency : t.fence_latency, 0};
    case Row::mbarrier_test_wait:
    case Row::mbarrier_try_wait:
      return {1, t.shared_latency, 0, 1};
    default:
      break;
  }
  const double words = is_wide(ins.type()) && !is_float(ins.type()) ? 2 : 1;
  return {words, words * t.arithmetic_latency, 0, 0};
}

bool writes_first(Row row) {
  switch (row) {
    case Row::st:
    case Row::st_async:
    case Row::red:
    case Row::red_async:
    case Row::bra:
    case Row::call:
    case Row::bar:
    case Row::barrier:
    case Row::bar_warp:
    case Row::cp_async:
    case Row::cp_async_bulk:
    case Row::mbarrier_init:
      return false;
    default:
      return true;
  }
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

struct Loop {
  std::size_t end = 0;  // behind its last instruction; 0: none begins here
  double back = 0;      // lanes that went round again
  bool waits = false;   // for what others write
};

// Whether a short loop asks again and again for something that another thread, block or the copy
// engine will change.
bool is_waiting(const exec::Code& code, std::size_t first, std::size_t last) {
  constexpr std::size_t kShort = 24;
  if (last - first > kShort) return false;
  bool asks = false;
  for (std::size_t i = first; i <= last; ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow == exec::Flow::Branch && in.target <= i && in.target != first) return false;
    if (!in.source) continue;
    asks |= in.row == Row::mbarrier_test_wait || in.row == Row::mbarrier_try_wait;
    asks |= (in.row == Row::ld || in.row == Row::atom) &&
            (in.source->has("volatile") || in.source->has("relaxed") || in.source->has("acquire") ||
             in.source->has("cas"));
  }
  return asks;
}

std::vector<Loop> find_loops(const exec::Code& code, std::span<const Tally> tally) {
  std::vector<Loop> loops(code.instrs.size());
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow != exec::Flow::Branch || in.target > i || tally[i].executed == 0) continue;
    Loop& loop = loops[in.target];
    loop.end = std::max(loop.end, i + 1);
    loop.back += static_cast<double>(tally[i].on);
    loop.waits |= in.spin_edge && is_waiting(code, in.target, i);
  }
  return loops;
}

// How often each loop goes round for one that enters it, from the lanes at its head and at its back
// edges.
void count_trips(std::span<const Loop> loops, std::span<const Tally> tally,
                 std::vector<Step>& steps) {
  for (std::size_t head = 0; head < loops.size(); ++head) {
    const Loop& loop = loops[head];
    if (loop.end == 0) continue;
    const double lanes = static_cast<double>(tally[head].active);
    const double trips = lanes / std::max(1.0, lanes - loop.back);
    for (std::size_t i = head; i < loop.end; ++i) {
      if (loop.waits) {
        steps[i].once /= trips;
      } else {
        steps[i].trips *= trips;
      }
    }
  }
}

}  // namespace

std::vector<Step> walk(const exec::Code& code, std::span<const Tally> tally, const WalkInput& in) {
  const Timing& t = *in.timing;
  std::vector<Step> steps(code.instrs.size());
  Scoreboard registers(code.function->registers.size());
  const std::vector<Loop> loops = find_loops(code, tally);
  double now = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& at = code.instrs[i];
    if (tally[i].executed == 0 || !at.source) continue;
    if (loops[i].end) {
      // What was asked for before the loop is waited for once, not in every round.
      const double there = std::max(now, registers.latest());
      steps[last].cycles += there - now;
      now = there;
    }
    const Instruction& ins = *at.source;
    const Cost cost = cost_of(at, t, in, in.in_l2[i]);
    const std::size_t first_read = writes_first(at.row) ? 1 : 0;
    double start = std::max(now, registers.latest(ins.guard));
    for (std::size_t k = first_read; k < ins.operands.size(); ++k)
      start = std::max(start, registers.latest(ins.operands[k]));
    const double end = start + cost.issue + cost.stall;
    // A copy costs nothing, but what it copies may not be there yet: the warp does not wait here.
    const bool free = cost.issue == 0 && cost.stall == 0;
    if (first_read == 1 && !ins.operands.empty())
      registers.set(ins.operands[0], end + cost.latency);
    if (free) continue;
    steps[i].cycles = end - now;
    steps[i].issue = cost.issue;
    steps[i].passes = cost.passes;
    now = end;
    last = i;
  }
  count_trips(loops, tally, steps);
  return steps;
}

}  // namespace emu::observe
