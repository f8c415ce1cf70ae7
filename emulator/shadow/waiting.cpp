// SPDX-License-Identifier: MIT
#include "shadow/waiting.hpp"

#include <algorithm>
#include <vector>

#include "shadow/operands.hpp"

namespace emu::check {
namespace {

using Registers = std::vector<std::uint32_t>;

bool names_any(const ptx::Operand& op, const Registers& registers) {
  return std::any_of(registers.begin(), registers.end(),
                     [&](std::uint32_t reg) { return names(op, reg); });
}

// Whether a branch goes by what is read at `at`, in one round of the instructions [first, last] behind it; `loop`: one
// that goes round the loop or leaves it.
bool decides_in(const exec::Code& code, std::size_t first, std::size_t last, std::size_t at,
                bool loop) {
  Registers of;
  each_register(code.instrs[at].source->operands.front(), [&](auto reg) { of.push_back(reg); });
  const std::size_t size = last - first + 1;
  for (std::size_t step = 1; step < size; ++step) {
    const exec::Instr& in = code.instrs[first + (at - first + step) % size];
    if (!in.source) continue;
    const ptx::Instruction& ins = *in.source;
    const bool guarded = std::find(of.begin(), of.end(), ins.guard) != of.end();
    const bool leads_out = in.back_edge || in.target < first || in.target > last;
    if (in.flow == ptx::Flow::Branch && guarded && (leads_out || !loop)) return true;
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

// Whether it goes round a loop with what it reads.
bool goes_round(const exec::Code& code, std::size_t at, const Registers& address) {
  for (std::size_t last = at; last < code.instrs.size(); ++last) {
    const exec::Instr& branch = code.instrs[last];
    if (!branch.back_edge || branch.flow != ptx::Flow::Branch || branch.target > at) continue;
    // Who looks back along many words stays at one while it says nothing.
    const bool many = changes_in(code, branch.target, last, address);
    if (decides_in(code, branch.target, last, at, many)) return true;
  }
  return false;
}

bool reads(const exec::Instr& in) {
  return in.source && has_result(*in.source) && in.source->operands.size() >= 2 &&
         ptx::is_access(ptx::info(in.row).others);
}

bool same_place(const ptx::Operand& a, const ptx::Operand& b) {
  return a.kind == b.kind && a.reg == b.reg && a.offset == b.offset && a.symbol == b.symbol;
}

}  // namespace

bool waits(const exec::Code& code, const exec::Instr& in) {
  if (!reads(in)) return false;
  const ptx::Operand& place = in.source->operands[1];
  Registers address;
  each_register(place, [&](auto reg) { address.push_back(reg); });
  for (std::size_t at = 0; at < code.instrs.size(); ++at) {
    const exec::Instr& other = code.instrs[at];
    if (&other != &in && (!reads(other) || !same_place(other.source->operands[1], place))) continue;
    if (goes_round(code, at, address)) return true;
  }
  return false;
}

}  // namespace emu::check
