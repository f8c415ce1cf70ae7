// SPDX-License-Identifier: MIT
#include "timing/costs.hpp"

#include <algorithm>
#include <cmath>

#include "counters/ptxas/instruction_kinds.hpp"

namespace emu::observe {
namespace {

using devices::Timing;
using exec::Instr;
using ptx::Instruction;
using ptx::Operand;
using ptx::Row;
using ptx::Type;

bool is_wide(Type type) {
  return type == Type::B64 || type == Type::U64 || type == Type::S64 || type == Type::F64;
}

// Cycles for each further line of local memory, where lanes are at different places of their arrays.
constexpr double kLocalLine = 3.5;

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

// One of the parameters: for each that it may be a comparison and a load with a predicate, which waits for the comparison. 256 warps
// of a multiprocessor take an H200 1.7 cycles for each.
Cost choice(const Source& source, const Timing& t) {
  constexpr double kEach = 1.7;
  const double words = source.chosen;
  if (words == 0) return {0, 0, 0, 0};
  // Of registers, each is compared and moved.
  if (source.in_registers) return {2 * words, 2 * t.arithmetic_latency, 0, 0};
  return {2 * words, 2 * t.special_latency, kGuardLatency * words,
          0,         Unit::Constant,        kEach * t.issue_per_cycle * words};
}

// Registers that a lane loads.
double words_of_lane(const Instruction& load) {
  constexpr std::size_t kRegister = 4;
  const std::size_t values = std::max<std::size_t>(1, load.operands[0].parts.size());
  return static_cast<double>(
      std::max<std::size_t>(1, values * ptx::size_of(load.type()) / kRegister));
}
constexpr double kWideShared = 3;

// A word of constant memory whose place is known is part of the instruction that uses it. Others are loads, and a multiprocessor of an
// H200 ends one in 1.7 cycles, or in 5 if the line has to be fetched, 75 cycles after it was asked for: warps that meet at barriers
// want the same lines at the same time, others find theirs thrown out.
Cost constant(const Instruction& ins, const WalkInput& in) {
  if (ins.operands[1].reg == ptx::kNoIndex) return {0, 0, 0, 0};
  constexpr double kEach = 1.7, kFarEach = 5, kLatency = 29, kFetched = 75, kOfLine = 0.25;
  const double far = 1 - in.constants_near, again = in.in_step ? 0 : far;
  return {1,
          kLatency + kFetched * kOfLine * far,
          0,
          0,
          Unit::Constant,
          (kEach + (kFarEach - kEach) * again) * in.timing->issue_per_cycle};
}

// `together`: how many lines from DRAM are waited for at the same time.
Cost load(const Instruction& ins, const Timing& t, const WalkInput& in, const Source& source,
          double together) {
  if (in_space(ins, "param")) return {0, 0, 0, 0};
  if (source.place == Source::Place::Cluster) return {1, t.cluster_latency, 0, 0};
  if (in_space(ins, "shared") || source.place == Source::Place::Shared) {
    // More words take the pipe that hands them out as many turns, before the warp's next one can go and before the last is there.
    const double words = words_of_lane(ins);
    return {1,
            t.shared_latency + t.shared_pass_latency * (in.shared_passes - 1) +
                kWideShared * (words - 1),
            words - 1, 0};
  }
  if (in_space(ins, "const")) return constant(ins, in);
  if (source.spared) return choice(source, t);
  if (in_space(ins, "local"))
    return {1, 2 * t.shared_latency + kLocalLine * (source.tags - 1), 0, 0};
  const double elsewhere = 1 - source.in_l1 - source.from_dram;
  // A warp waits for the last of its lines, and of many that come from all over DRAM one is late.
  constexpr double kLate = 0.11;
  const double late = 1 + kLate * std::log2(std::max(source.far_lines, together));
  return {source.joined ? 0.0 : 1.0,
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

// A sign is part of the instruction that uses the number, and what is done with truth values part of the comparison that makes
// them.
bool is_folded(const Instr& at) {
  return at.row == Row::neg_float || at.row == Row::abs_float || at.source->type() == Type::Pred;
}

Cost arithmetic(const Instr& at, const Timing& t) {
  const Instruction& ins = *at.source;
  if (is_folded(at) && at.row != Row::setp) return {0, 0, 0, 0};
  const bool wide = is_wide(ins.type());
  if (wide && is_float(ins.type())) return {1, 2 * t.arithmetic_latency, 0, 0, Unit::Double, 2};
  const double words = wide ? 2 : 1;
  if (counts_bits(at.row)) return {words, t.special_latency + 2, 0, 0, Unit::Special, 8 * words};
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
Cost special(Row row, const Instruction& ins, const Timing& t) {
  if (is_wide(ins.type())) return {20, 7 * t.special_latency, 0, 0, Unit::Double, 24};
  if (ins.has("approx") && ins.has("ftz")) return {1, t.special_latency, 0, 0, Unit::Special, 8};
  // Numbers below the normal ones are scaled before and after, by a predicate.
  if (ins.has("approx"))
    return {4, t.special_latency + 3 * t.arithmetic_latency + kGuardLatency, 0, 0, Unit::Special,
            8};
  // Whether the number is a simple one is looked at before it is inverted, but beside the root.
  if (row == Row::rcp) return {11, 4.7 * t.special_latency, 0, 0, Unit::Special, 8};
  return {13, 3.5 * t.special_latency, 0, 0, Unit::Special, 8};
}

Cost conversion(const Instruction& ins, const Timing& t) {
  const Type to = ins.type(0), from = ins.type(1);
  if (!is_float(to) && !is_float(from)) return {0, 0, 0, 0};
  if (is_wide(to) || is_wide(from)) return {1, 4.5 * t.arithmetic_latency, 0, 0, Unit::Special, 8};
  const bool rounds = ins.has("rni") || ins.has("rzi") || ins.has("rmi") || ins.has("rpi");
  // No more than a limit to numbers from 0 to 1: part of the instruction that makes the number.
  if (to == Type::F32 && from == Type::F32 && !rounds) return {0, 0, 0, 0};
  const bool whole = from == Type::S32 || from == Type::U32,
             half = ptx::size_of(to) == 2 || ptx::size_of(from) == 2;
  if (to == Type::F32 && (whole || (half && is_float(from))))
    return {1, t.arithmetic_latency, 0, 0, Unit::Integer, 2};
  if (is_float(from) && is_float(to) && !rounds)
    return {1, t.arithmetic_latency, 0, 0, Unit::Integer, 2};
  return {1, 5 * t.arithmetic_latency, 0, 0, Unit::Special, 8};
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

}  // namespace

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
      return special(at.row, ins, t);
    case ptx::Cost::Load:
      return load(ins, t, in, source, together);
    case ptx::Cost::Store:
      if (source.spared) return choice(source, t);
      if (in_space(ins, "local")) return {1, 0, kLocalLine * (source.tags - 1), 0};
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

double pipe_cycles(const Instr& at, const Source& source) {
  // One warp alone on an H200 takes 21 cycles for each of several loads of 32 lines, and 62.5 for each store.
  constexpr double kLoaded = 0.66, kStored = 1.95;
  const ptx::Cost kind = ptx::info(at.row).cost;
  if (kind == ptx::Cost::Load) return kLoaded * source.lines;
  return kind == ptx::Cost::Store ? kStored * source.lines : 0;
}

double inversion(const exec::Instr& at, const Timing& t) {
  const bool divides = at.row == Row::div_int || at.row == Row::rem_int;
  return divides && !is_wide(at.source->type()) ? 2 * t.special_latency : 0;
}

}  // namespace emu::observe
