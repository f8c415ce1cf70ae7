// SPDX-License-Identifier: MIT
#include "counters/ptxas/unrolled_rounds.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "counters/ptxas/branches.hpp"
#include "counters/ptxas/instruction_kinds.hpp"

namespace emu::observe {

using exec::Instr;
using ptx::Instruction;
using ptx::kNoIndex;
using ptx::Operand;
using ptx::Row;

namespace {

// Whether a register has a number of the code in it before the loop.
bool begins_with_constant(const exec::Code& code, std::size_t head, std::uint32_t reg) {
  for (std::size_t i = head; i-- > 0;) {
    const Instr& at = code.instrs[i];
    if (!at.source || at.source->operands.empty() || !writes_first(at.row) ||
        at.source->operands[0].reg != reg)
      continue;
    return at.row == Row::mov && at.source->operands.size() == 2 &&
           at.source->operands[1].kind == Operand::Kind::Immediate;
  }
  return false;
}

// The register that steps by a constant from round to round and is compared at the end with what does not
// change: only then does the compiler know how many rounds are left.
Rounds rounds_known(const exec::Code& code, std::size_t head, std::size_t last,
                    std::size_t test_at) {
  const Instruction* branch = code.instrs[test_at].source;
  const std::uint32_t guard = branch ? branch->guard : kNoIndex;
  if (guard == kNoIndex) return Rounds::Unknown;
  const Instruction* test = nullptr;
  std::vector<std::uint32_t> stepped, written;
  for (std::size_t i = head; i < last; ++i) {
    const Instruction* ins = code.instrs[i].source;
    if (!ins || ins->operands.empty() || !writes_first(code.instrs[i].row)) continue;
    const std::uint32_t to = ins->operands[0].reg;
    if (to == guard) test = ins;
    const bool adds = code.instrs[i].row == Row::add_int && ins->operands.size() == 3 &&
                      ins->operands[1].reg == to && to != kNoIndex &&
                      ins->operands[2].kind == Operand::Kind::Immediate;
    visit_registers(ins->operands[0],
                    [&](std::uint32_t reg) { (adds ? stepped : written).push_back(reg); });
  }
  if (!test || test->operands.size() < 3) return Rounds::Unknown;
  const auto in = [](const std::vector<std::uint32_t>& list, std::uint32_t reg) {
    return std::find(list.begin(), list.end(), reg) != list.end();
  };
  for (const auto& [counter, limit] : {std::pair{1, 2}, {2, 1}}) {
    const std::uint32_t c = test->operands[counter].reg, l = test->operands[limit].reg;
    if (c != kNoIndex && in(stepped, c) && !in(written, c) &&
        (l == kNoIndex || (!in(written, l) && !in(stepped, l))))
      return l == kNoIndex && begins_with_constant(code, head, c) ? Rounds::Constant
                                                                  : Rounds::Counted;
  }
  return Rounds::Unknown;
}

// What the compiler weighs: as many as there are instructions of the machine, an access to memory as two.
struct Weight {
  std::size_t all = 0, near = 0;  // the second: loads of shared memory
  bool far = false;               // something is loaded from other memory
};

std::size_t weight_of(const Instr& in) {
  constexpr std::size_t kAccess = 2, kAtomic = 10;
  const Instruction& ins = *in.source;
  switch (ptx::info(in.row).cost) {
    case ptx::Cost::Free:
    case ptx::Cost::Move:
      return 0;
    case ptx::Cost::Load:
      return in_space(ins, "param") ? 0 : kAccess;
    case ptx::Cost::Store:
      return in_space(ins, "shared") ? 1 : kAccess;
    case ptx::Cost::Atomic:
      return in.row == Row::red && is_float(ins.type()) && !in_space(ins, "shared") ? kAccess
                                                                                    : kAtomic;
    default:
      return 1;
  }
}

// A product of words of which an address is made by adding it: both are one instruction.
bool joins_next(const exec::Code& code, std::size_t i, std::size_t last) {
  const Instr& in = code.instrs[i];
  if (!in.source->has("wide") || ptx::info(in.row).cost != ptx::Cost::Product) return false;
  if (i + 1 >= last || code.instrs[i + 1].row != Row::add_int || !code.instrs[i + 1].source)
    return false;
  const auto& operands = code.instrs[i + 1].source->operands;
  return std::any_of(operands.begin() + 1, operands.end(),
                     [&](const Operand& op) { return op.reg == in.source->operands[0].reg; });
}

// The branch that decides whether there is another round: the last one, or the only one that leaves the loop on its way where
// the last one goes back whatever happens. (The front end makes such loops where it has put several rounds into one and has
// cut the first or the last of them.)
std::size_t test_of(const exec::Code& code, std::size_t head, std::size_t last) {
  const auto guarded = [&](std::size_t i) {
    return code.instrs[i].source && code.instrs[i].source->guard != kNoIndex;
  };
  if (guarded(last)) return last;
  for (std::size_t i = head; i < last; ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow == exec::Flow::Branch && in.target > last && guarded(i)) return i;
  }
  return last;
}

// False if something in the loop keeps the compiler from unrolling it.
bool weigh(const exec::Code& code, std::size_t head, std::size_t last, std::size_t test,
           Weight& weight) {
  for (std::size_t i = head; i <= last; ++i) {
    const Instr& in = code.instrs[i];
    const bool to_next = in.flow == exec::Flow::Branch && in.target == i + 1;
    if (in.flow != exec::Flow::Next && i < last && i != test && !to_next) return false;
    if (!in.source) continue;
    if (calls(in.row, *in.source)) return false;
    if (i < last && joins_next(code, i, last)) continue;
    weight.all += weight_of(in);
    if (in.row != Row::ld || in_space(*in.source, "param")) continue;
    const bool near = in_space(*in.source, "shared");
    weight.near += near;
    weight.far |= !near;
  }
  return true;
}

}  // namespace

Unrolled unrolled_rounds(const exec::Code& code, std::size_t head, std::size_t last) {
  Unrolled result;
  const Instr& end = code.instrs[last];
  Weight weight;
  if (end.flow != exec::Flow::Branch || end.target != head) return result;
  if (code.instrs[head].source && code.instrs[head].source->nounroll) return result;
  const std::size_t test = test_of(code, head, last);
  if (!weigh(code, head, last, test, weight)) return result;
  result.known = rounds_known(code, head, last, test);
  // More room where there is something to wait for that the rounds can wait for together.
  constexpr std::size_t kCounts = 3, kUnrolled = 4;  // what counts and goes back, once in all
  constexpr std::size_t kLeast = 21, kFar = 50, kNear = 5, kConstant = 76, kWhole = 350;
  const std::size_t near = weight.near ? kLeast + 1 + kNear * weight.near : kLeast,
                    room = std::min(kConstant, weight.far ? std::max(kFar, near) : near);
  if (result.known == Rounds::Counted && weight.all <= room) result.rounds = kUnrolled;
  if (result.known == Rounds::Constant && weight.all <= kConstant)
    result.rounds = std::max(
        kUnrolled, kWhole / std::max<std::size_t>(1, weight.all - std::min(weight.all, kCounts)));
  return result;
}

}  // namespace emu::observe
