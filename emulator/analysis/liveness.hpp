// SPDX-License-Identifier: MIT
// Which registers of a function are alive where: what allocate_slots() and the estimate of a kernel's
// registers are made from.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/control_flow.hpp"
#include "analysis/results.hpp"

namespace emu::exec {

// A set of registers.
using Bits = std::vector<std::uint64_t>;

inline bool test(const Bits& bits, std::uint32_t i) { return bits[i / 64] >> (i % 64) & 1; }
inline void set(Bits& bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }
template <class F>
void for_each_bit(const Bits& bits, F&& f) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t left = bits[w]; left; left &= left - 1) {
      f(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(left))));
    }
  }
}
inline void clear(Bits& bits, std::uint32_t i) { bits[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

template <class Use, class Def>
void visit_operand(const ptx::Operand& op, bool written, const Use& use, const Def& def) {
  switch (op.kind) {
    case ptx::Operand::Kind::Register:
      written ? def(op.reg) : use(op.reg);
      break;
    case ptx::Operand::Kind::Address:
      if (op.reg != ptx::kNoIndex) use(op.reg);
      break;
    case ptx::Operand::Kind::Vector:
    case ptx::Operand::Kind::Pair:
      for (const auto& part : op.parts) visit_operand(part, written, use, def);
      break;
    default:
      break;
  }
}

// Calls use(reg) for what an instruction reads, then def(reg) for what it surely writes. A guarded
// write leaves lanes as they were, so it counts as a read too.
template <class Use, class Def>
void visit(const ptx::Instruction& ins, const Use& use, const Def& def) {
  if (ins.guard != ptx::kNoIndex) use(ins.guard);
  const std::size_t results = results_of(ins);
  const auto ignore = [](std::uint32_t) {};
  for (std::size_t i = results; i < ins.operands.size(); ++i) {
    visit_operand(ins.operands[i], false, use, ignore);
  }
  for (std::size_t i = 0; i < results && i < ins.operands.size(); ++i) {
    if (ins.guard != ptx::kNoIndex) visit_operand(ins.operands[i], true, use, use);
    visit_operand(ins.operands[i], true, use, def);
  }
}

struct Liveness {
  std::vector<Bits> in;  // by block: alive at its start
  Bits out(const FlowGraph& graph, std::uint32_t block) const;
};
// Nothing for functions whose liveness would take too much memory.
std::optional<Liveness> find_liveness(const ptx::Function& function, const FlowGraph& graph);

}  // namespace emu::exec
