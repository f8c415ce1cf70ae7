// SPDX-License-Identifier: MIT
#include "counters/instruction_kinds.hpp"

namespace emu::observe {

using ptx::Row;

Counter class_of(Row row) {
  switch (row) {
    case Row::bar:
    case Row::bar_red:
    case Row::barrier:
    case Row::barrier_red:
      return Counter::Barriers;
    case Row::barrier_cluster:
      return Counter::ClusterBarriers;
    case Row::bar_warp:
      return Counter::WarpSyncs;
    case Row::shfl:
      return Counter::Shuffles;
    case Row::vote:
    case Row::match:
    case Row::redux:
      return Counter::Votes;
    case Row::membar:
    case Row::fence:
    case Row::fence_proxy:
    case Row::fence_mbarrier_init:
      return Counter::Fences;
    default:
      return Counter::Count;
  }
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

bool releases(const ptx::Instruction& ins) {
  const bool access = ins.row == Row::st || ins.row == Row::atom || ins.row == Row::red;
  return access && (ins.has("release") || ins.has("acq_rel"));
}

bool hands_over(const ptx::Instruction& ins) {
  if (ins.row == Row::st) return ins.has("release");
  return ins.row == Row::atom && (ins.has("cas") || ins.has("exch"));
}

bool is_bulk(Row row) {
  return row == Row::cp_async_bulk || row == Row::cp_reduce_async_bulk || row == Row::st_async ||
         row == Row::red_async;
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

bool in_space(const ptx::Instruction& ins, std::string_view space) {
  for (auto m : ins.mods)
    if (m.substr(0, space.size()) == space) return true;
  return false;
}

}  // namespace emu::observe
