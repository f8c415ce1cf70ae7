// SPDX-License-Identifier: MIT
#include "counters/ptxas/instruction_kinds.hpp"

#include <algorithm>
#include <span>

#include "analysis/register_estimate.hpp"

namespace emu::observe {

using ptx::Row;

Counter class_of(Row row) {
  switch (ptx::info(row).counted) {
    case ptx::Counted::None:
      return Counter::Count;
    case ptx::Counted::Barrier:
      return Counter::Barriers;
    case ptx::Counted::ClusterBarrier:
      return Counter::ClusterBarriers;
    case ptx::Counted::WarpSync:
      return Counter::WarpSyncs;
    case ptx::Counted::Shuffle:
      return Counter::Shuffles;
    case ptx::Counted::Vote:
      return Counter::Votes;
    case ptx::Counted::Fence:
      return Counter::Fences;
  }
  return Counter::Count;
}

std::vector<std::uint8_t> unwanted_results(const exec::Code& code) {
  std::vector<std::uint8_t> unwanted(code.instrs.size(), 0);
  std::vector<bool> read(code.function->registers.size(), false);
  const auto note = [&](const ptx::Operand& op, const auto& self) -> void {
    if (op.reg < read.size()) read[op.reg] = true;
    for (const ptx::Operand& part : op.parts) self(part, self);
  };
  for (const ptx::Instruction& ins : code.function->code) {
    if (ins.guard < read.size()) read[ins.guard] = true;
    const std::size_t first = ins.row == Row::atom ? 1 : 0;
    for (std::size_t i = first; i < ins.operands.size(); ++i) note(ins.operands[i], note);
  }
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const ptx::Instruction* ins = code.instrs[i].source;
    if (!ins || ins->row != Row::atom || ins->has("exch") || ins->has("cas")) continue;
    const ptx::Operand& result = ins->operands[0];
    const bool scalar = result.parts.empty();
    unwanted[i] = scalar && (result.reg >= read.size() || !read[result.reg]);
  }
  return unwanted;
}

namespace {

bool is_aggregated(const exec::Instr& in, const exec::Bits& uniform) {
  const ptx::Instruction& ins = *in.source;
  const ptx::Type type = ins.type();
  if (type == ptx::Type::F32 || type == ptx::Type::F64 || ptx::size_of(type) != 4) return false;
  for (const std::string_view op : {"exch", "cas", "inc", "dec"})
    if (ins.has(op)) return false;
  const ptx::Operand& address = ins.operands[in.row == Row::atom ? 1 : 0];
  return address.reg == ptx::kNoIndex || exec::test(uniform, address.reg);
}

}  // namespace

std::vector<std::uint8_t> aggregated_atomics(const exec::Code& code) {
  std::vector<std::uint8_t> aggregated(code.instrs.size(), 0);
  exec::Bits uniform;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const exec::Instr& in = code.instrs[i];
    if (!in.source || (in.row != Row::atom && in.row != Row::red)) continue;
    if (uniform.empty()) uniform = exec::find_uniform(*code.function);
    aggregated[i] = is_aggregated(in, uniform);
  }
  return aggregated;
}

namespace {

bool is_global_atom(const ptx::Instruction& ins) {
  return ins.row == Row::atom && !in_space(ins, "shared");
}

// Registers that follow from what an atomic returned. What is loaded does not: somebody has put it there.
std::vector<bool> from_atomics(const ptx::Function& function) {
  std::vector<bool> from(function.registers.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (const ptx::Instruction& ins : function.code) {
      if (!writes_first(ins.row) || ins.row == Row::ld || ins.operands.empty()) continue;
      bool follows = is_global_atom(ins);
      for (std::size_t i = 1; i < ins.operands.size(); ++i)
        visit_registers(ins.operands[i], [&](std::uint32_t reg) { follows |= from[reg]; });
      if (!follows) continue;
      visit_registers(ins.operands[0], [&](std::uint32_t reg) {
        more |= !from[reg];
        from[reg] = true;
      });
    }
  }
  return from;
}

}  // namespace

std::vector<std::uint8_t> placed_stores(const exec::Code& code) {
  std::vector<std::uint8_t> placed(code.instrs.size(), 0);
  const auto& all = code.function->code;
  if (std::none_of(all.begin(), all.end(), is_global_atom)) return placed;
  const std::vector<bool> from = from_atomics(*code.function);
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const ptx::Instruction* ins = code.instrs[i].source;
    if (!ins || ins->row != Row::st || in_space(*ins, "shared") || in_space(*ins, "local"))
      continue;
    const std::uint32_t reg = ins->operands[0].reg;
    placed[i] = reg != ptx::kNoIndex && from[reg];
  }
  return placed;
}

namespace {

// An addition, or a step of a counter.
bool gives_ticket(const ptx::Instruction& ins) {
  return is_global_atom(ins) && (ins.has("add") || ins.has("inc"));
}

// Registers that follow from what such atomics returned, also through shuffles and through shared memory: one lane, or one
// thread, takes a ticket for the others.
std::vector<bool> from_tickets(const ptx::Function& function) {
  std::vector<bool> from(function.registers.size(), false);
  bool shared = false;
  for (bool more = true; more;) {
    more = false;
    for (const ptx::Instruction& ins : function.code) {
      if (ins.operands.empty()) continue;
      const bool in_shared = in_space(ins, "shared");
      bool follows = gives_ticket(ins) || (ins.row == Row::ld && in_shared && shared);
      for (std::size_t i = 1; i < ins.operands.size(); ++i)
        if (ins.row != Row::ld)
          visit_registers(ins.operands[i], [&](std::uint32_t reg) { follows |= from[reg]; });
      if (!follows) continue;
      if (ins.row == Row::st) {
        more |= in_shared && !shared;
        shared |= in_shared;
      }
      if (!writes_first(ins.row)) continue;
      visit_registers(ins.operands[0], [&](std::uint32_t reg) {
        more |= !from[reg];
        from[reg] = true;
      });
    }
  }
  return from;
}

bool any_ticket(const ptx::Function& function) {
  return std::any_of(function.code.begin(), function.code.end(), gives_ticket);
}

}  // namespace

bool branches_by_tickets(const ptx::Function& function) {
  if (!any_ticket(function)) return false;
  const std::vector<bool> from = from_tickets(function);
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& ins) {
    return ins.row == Row::bra && ins.guard != ptx::kNoIndex && from[ins.guard];
  });
}

namespace {

// Where the first loop begins that is left, or gone through again, by what `from` names, and that has one of `those`
// instructions, at a place that is the same in all rounds, or not.
template <class Those>
std::optional<std::size_t> decided_loop(const exec::Code& code, const std::vector<bool>& from,
                                        Those those, bool same) {
  for (std::size_t back = 0; back < code.instrs.size(); ++back) {
    const std::size_t head = code.instrs[back].target;
    if (code.instrs[back].flow != exec::Flow::Branch || head > back) continue;
    const std::span loop(code.instrs.data() + head, back + 1 - head);
    std::vector<bool> changes(code.function->registers.size());
    bool takes = false, decides = false;
    for (const exec::Instr& in : loop)
      if (in.source && writes_first(in.row) && !in.source->operands.empty())
        visit_registers(in.source->operands[0], [&](std::uint32_t reg) { changes[reg] = true; });
    for (const exec::Instr& in : loop) {
      if (!in.source) continue;
      if (those(*in.source)) {
        bool one_place = true;
        visit_registers(in.source->operands[1],
                        [&](std::uint32_t reg) { one_place &= !changes[reg]; });
        takes |= one_place == same;
      }
      decides |= in.flow == exec::Flow::Branch && in.source->guard != ptx::kNoIndex &&
                 from[in.source->guard] && (in.target <= head || in.target > back);
    }
    if (takes && decides) return head;
  }
  return {};
}

bool swaps(const ptx::Instruction& ins) { return is_global_atom(ins) && ins.has("cas"); }

}  // namespace

bool takes_tickets(const exec::Code& code) {
  return any_ticket(*code.function) &&
         decided_loop(code, from_tickets(*code.function), gives_ticket, true);
}

std::optional<std::size_t> tries_places(const exec::Code& code) {
  const auto& all = code.function->code;
  if (std::none_of(all.begin(), all.end(), swaps)) return {};
  return decided_loop(code, from_atomics(*code.function), swaps, false);
}

bool takes_long(Row row) {
  const ptx::Cost cost = ptx::info(row).cost;
  return cost == ptx::Cost::Division || cost == ptx::Cost::Special;
}

bool releases(const ptx::Instruction& ins) {
  const ptx::Others others = ptx::info(ins.row).others;
  const bool writes = others == ptx::Others::Store || others == ptx::Others::Atomic;
  return writes && (ins.has("release") || ins.has("acq_rel"));
}

bool hands_over(const ptx::Instruction& ins) {
  const ptx::Others others = ptx::info(ins.row).others;
  if (others == ptx::Others::Store) return ins.has("release");
  return others == ptx::Others::Atomic && (ins.has("cas") || ins.has("exch"));
}

bool in_space(const ptx::Instruction& ins, std::string_view space) {
  for (auto m : ins.mods)
    if (m.substr(0, space.size()) == space) return true;
  return false;
}

}  // namespace emu::observe
