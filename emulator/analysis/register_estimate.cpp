// SPDX-License-Identifier: MIT
// The guess: liveness, without what the machine does not keep in a thread's registers.
#include "analysis/register_estimate.hpp"

#include <algorithm>

#include "analysis/liveness.hpp"
#include "analysis/slots.hpp"

namespace emu::exec {
namespace {

using ptx::Instruction;
using ptx::kNoIndex;
using ptx::Operand;
using ptx::Row;
using ptx::Type;

bool is_floating(Type type) { return type == Type::F16 || type == Type::F32 || type == Type::F64; }

// Whether it gives the same to all threads of a block that give it the same.
bool is_plain(const Instruction& ins) {
  switch (ptx::info(ins.row).uniform) {
    case ptx::Uniform::Never:
      return false;
    case ptx::Uniform::Integers:
      return !is_floating(ins.type());
    case ptx::Uniform::Params:
      return ins.has("param") || ins.has("param::entry");
  }
  return false;
}

bool same_for_block(std::string_view special) {
  return special.starts_with("%ctaid") || special.starts_with("%nctaid") ||
         special.starts_with("%ntid") || special.starts_with("%cluster") ||
         special.starts_with("%ncluster");
}

}  // namespace

// All until the contrary is shown.
Bits find_uniform(const ptx::Function& function) {
  Bits uniform((function.registers.size() + 63) / 64, ~std::uint64_t{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& ins : function.code) {
      bool same = is_plain(ins) && (ins.guard == kNoIndex || test(uniform, ins.guard));
      for (const Operand& op : ins.operands) {
        if (op.kind == Operand::Kind::Special) same &= same_for_block(op.symbol);
        if (op.kind == Operand::Kind::Register) same &= test(uniform, op.reg);
      }
      if (same) continue;
      visit(
          ins, [](std::uint32_t) {},
          [&](std::uint32_t r) {
            changed |= test(uniform, r);
            clear(uniform, r);
          });
    }
  }
  return uniform;
}

namespace {

// Registers that are used as an address only and are another one plus a constant.
Bits find_folded(const ptx::Function& function) {
  Bits folded((function.registers.size() + 63) / 64);
  const std::vector<std::uint32_t> definitions = count_definitions(function);
  for (const Instruction& ins : function.code) {
    if (ins.row != Row::add_int || ins.operands.size() != 3) continue;
    const Operand& to = ins.operands[0];
    const bool constant = ins.operands[1].kind == Operand::Kind::Register &&
                          ins.operands[2].kind == Operand::Kind::Immediate;
    if (constant && to.kind == Operand::Kind::Register && definitions[to.reg] == 1)
      set(folded, to.reg);
  }
  const auto refuse = [&](const Operand& op, const auto& self) -> void {
    if (op.kind == Operand::Kind::Register) clear(folded, op.reg);
    for (const Operand& part : op.parts) self(part, self);
  };
  for (const Instruction& ins : function.code) {
    for (std::size_t i = results_of(ins); i < ins.operands.size(); ++i)
      refuse(ins.operands[i], refuse);
  }
  return folded;
}

}  // namespace

std::uint32_t estimate_live_words(const ptx::Function& function, const FlowGraph& graph) {
  const std::optional<Liveness> alive = find_liveness(function, graph);
  if (!alive) return 255;
  const Bits uniform = find_uniform(function), folded = find_folded(function);
  std::vector<std::uint32_t> words(function.registers.size());
  for (std::uint32_t r = 0; r < words.size(); ++r) {
    const std::uint32_t bytes = ptx::size_of(function.registers[r].type);
    if (bytes == 0 || test(uniform, r) || test(folded, r)) continue;
    words[r] = std::max(1u, bytes / 4);
  }
  std::uint32_t most = 0;
  for (const std::uint32_t b : graph.order) {
    Bits now = alive->out(graph, b);
    std::uint32_t sum = 0;
    for_each_bit(now, [&](std::uint32_t r) { sum += words[r]; });
    most = std::max(most, sum);
    for (std::uint32_t i = graph.blocks[b].end; i-- > graph.blocks[b].begin;) {
      visit(
          function.code[i], [](std::uint32_t) {},
          [&](std::uint32_t r) {
            if (test(now, r)) sum -= words[r];
            clear(now, r);
          });
      visit(
          function.code[i],
          [&](std::uint32_t r) {
            if (!test(now, r)) sum += words[r];
            set(now, r);
          },
          [](std::uint32_t) {});
      most = std::max(most, sum);
    }
  }
  return most;
}

}  // namespace emu::exec
