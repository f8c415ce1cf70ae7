// SPDX-License-Identifier: MIT
#include "timing/unrolling.hpp"

#include <algorithm>
#include <cmath>

#include "counters/branches.hpp"
#include "counters/instruction_kinds.hpp"

namespace emu::observe {

using exec::Instr;
using ptx::Instruction;
using ptx::Operand;
using ptx::Row;

namespace {

enum class Rounds : std::uint8_t { Unknown, Counted, Constant };
constexpr std::size_t kMostUnrolled = 40;

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
Rounds rounds_known(const exec::Code& code, std::size_t head, std::size_t last) {
  const std::uint32_t guard =
      code.instrs[last].source ? code.instrs[last].source->guard : ptx::kNoIndex;
  if (guard == ptx::kNoIndex) return Rounds::Unknown;
  const Instruction* test = nullptr;
  std::vector<std::uint32_t> stepped, written;
  for (std::size_t i = head; i < last; ++i) {
    const Instruction* ins = code.instrs[i].source;
    if (!ins || ins->operands.empty() || !writes_first(code.instrs[i].row)) continue;
    const std::uint32_t to = ins->operands[0].reg;
    if (to == guard) test = ins;
    const bool adds = code.instrs[i].row == Row::add_int && ins->operands.size() == 3 &&
                      ins->operands[1].reg == to && to != ptx::kNoIndex &&
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
    if (c != ptx::kNoIndex && in(stepped, c) && !in(written, c) &&
        (l == ptx::kNoIndex || (!in(written, l) && !in(stepped, l))))
      return l == ptx::kNoIndex && begins_with_constant(code, head, c) ? Rounds::Constant
                                                                       : Rounds::Counted;
  }
  return Rounds::Unknown;
}

std::size_t registers_loaded(const Instruction& load) {
  constexpr std::size_t kRegister = 4;
  const std::size_t values = std::max<std::size_t>(1, load.operands[0].parts.size());
  return std::max(values, values * ptx::size_of(load.type()) / kRegister);
}

}  // namespace

void find_unrolling(const exec::Code& code, std::size_t head, Loop& loop) {
  const std::size_t last = loop.end - 1;
  if (loop.waits || loop.end - head > kMostUnrolled || code.instrs[last].target != head) return;
  if (code.instrs[head].source && code.instrs[head].source->nounroll) return;
  std::size_t words = 0;                 // that are loaded
  bool stores = false, checked = false;  // to global memory; loads that a store may change
  bool apart = false;                    // what stays in its place, and all else on its side of it
  for (std::size_t i = head; i < last; ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow != exec::Flow::Next) return;
    if (!in.source) continue;
    const ptx::Others others = ptx::info(in.row).others;
    const bool shared = in_space(*in.source, "shared");
    apart |= others == ptx::Others::Atomic || calls(in.row, *in.source);
    if (others == ptx::Others::Load && in.row == Row::ld) {
      words += registers_loaded(*in.source);
      checked |= !shared && !in.source->has("nc");
    } else if (others == ptx::Others::Store || others == ptx::Others::Atomic) {
      stores |= !shared;
    } else if (others != ptx::Others::Own) {
      return;
    }
  }
  // As many as leave room in the registers for what is loaded; where the compiler makes one of four whatever they load, as many
  // of those are asked for at once.
  constexpr double kUnrolled = 4, kWordsTogether = 24, kFewTogether = 2.0 / 3;
  const double room = words ? kWordsTogether / static_cast<double>(words) : kWordsTogether;
  switch (rounds_known(code, head, last)) {
    case Rounds::Unknown:
      return;
    case Rounds::Counted:
      loop.unrolled = std::min(kUnrolled, loop.trips);
      loop.rounds_in_one =
          std::min(loop.trips / rounds_of_four(loop.trips, loop.even),
                   room < kUnrolled ? std::max(1.0, room * kFewTogether) : kUnrolled);
      break;
    case Rounds::Constant:
      loop.unrolled = loop.rounds_in_one = std::min(std::max(1.0, room), loop.trips);
  }
  loop.overlaps = !apart && !(stores && checked);
}

double rounds_of_four(double trips, bool even) {
  const auto of = [&](double whole) {
    const auto n = static_cast<std::uint64_t>(whole);
    const std::uint64_t left = n % 4, left_to_others = even || n < 2 ? left : (n - 1) % 4,
                        either = left | left_to_others;
    return static_cast<double>(n / 4 + (either >> 1) + (either & 1));
  };
  const double less = std::floor(std::max(1.0, trips)), share = std::max(1.0, trips) - less;
  return (1 - share) * of(less) + share * of(less + 1);
}

}  // namespace emu::observe
