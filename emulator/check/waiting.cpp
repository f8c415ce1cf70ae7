// SPDX-License-Identifier: MIT
#include "check/waiting.hpp"

#include <algorithm>
#include <vector>

#include "check/operands.hpp"

namespace emu::check {
namespace {

using Registers = std::vector<std::uint32_t>;

bool names_any(const ptx::Operand& op, const Registers& registers) {
  return std::any_of(registers.begin(), registers.end(),
                     [&](std::uint32_t reg) { return names(op, reg); });
}

// What comes of a value in one round of the instructions [first, last], behind the one at `at`.
bool decides_in(const exec::Code& code, std::size_t first, std::size_t last, std::size_t at) {
  Registers of;
  each_register(code.instrs[at].source->operands.front(), [&](auto reg) { of.push_back(reg); });
  const std::size_t size = last - first + 1;
  for (std::size_t step = 1; step < size; ++step) {
    const exec::Instr& in = code.instrs[first + (at - first + step) % size];
    if (!in.source) continue;
    const ptx::Instruction& ins = *in.source;
    const bool guarded = std::find(of.begin(), of.end(), ins.guard) != of.end();
    if (in.flow == ptx::Flow::Branch && guarded) return true;
    const std::size_t from = has_result(ins) ? 1 : 0;
    const bool uses =
        guarded || std::any_of(ins.operands.begin() + std::min(from, ins.operands.size()),
                               ins.operands.end(), [&](auto& op) { return names_any(op, of); });
    if (uses && from) each_register(ins.operands.front(), [&](auto reg) { of.push_back(reg); });
  }
  return false;
}

bool changes_in(const exec::Code& code, std::size_t first, std::size_t last, const Registers& of) {
  for (std::size_t i = first; i <= last; ++i) {
    const exec::Instr& in = code.instrs[i];
    if (in.source && has_result(*in.source) && names_any(in.source->operands.front(), of))
      return true;
  }
  return false;
}

}  // namespace

bool waits_in_loop(const exec::Code& code, const exec::Instr& in) {
  const ptx::Instruction& ins = *in.source;
  if (!has_result(ins) || ins.operands.size() < 2) return false;
  const auto at = static_cast<std::size_t>(&in - code.instrs.data());
  Registers address;
  each_register(ins.operands[1], [&](auto reg) { address.push_back(reg); });
  for (std::size_t last = at; last < code.instrs.size(); ++last) {
    const exec::Instr& branch = code.instrs[last];
    if (!branch.back_edge || branch.flow != ptx::Flow::Branch || branch.target > at) continue;
    if (changes_in(code, branch.target, last, address)) continue;
    if (decides_in(code, branch.target, last, at)) return true;
  }
  return false;
}

}  // namespace emu::check
