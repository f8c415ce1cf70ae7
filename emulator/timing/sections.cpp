// SPDX-License-Identifier: MIT
#include "timing/sections.hpp"

#include "counters/ptxas/instruction_kinds.hpp"

namespace emu::observe {
namespace {

using exec::Instr;
using ptx::Operand;
using ptx::Row;

// The address that an instruction asks or changes in global memory; nullptr: none.
const Operand* address_of(const Instr& in) {
  if (!in.source || in_space(*in.source, "shared")) return nullptr;
  if (in.row == Row::st) return &in.source->operands[0];
  return in.row == Row::ld || in.row == Row::atom ? &in.source->operands[1] : nullptr;
}

bool is_same(const Operand& a, const Operand& b) {
  return a.reg == b.reg && a.offset == b.offset && a.symbol == b.symbol;
}

// Whether whoever executes it may go on only when others let him.
bool takes(const Instr& in) {
  return in.source->has("acquire") || in.source->has("acq_rel") || in.source->has("exch") ||
         in.source->has("cas");
}

// A store or exchange that says that the word is free; a compare-and-swap is an attempt to get it.
bool gives(const Instr& in) {
  return in.source && hands_over(*in.source) && !in.source->has("cas");
}

// Behind the branch that the last question for this word before `give` has decided: to wait for the answer belongs to
// handing the word on. 0: nobody asked.
std::size_t taken_before(const exec::Code& code, std::span<const Tally> tally, std::size_t give) {
  const Operand& word = *address_of(code.instrs[give]);
  for (std::size_t i = give; i > 0; --i) {
    const Instr& in = code.instrs[i - 1];
    const Operand* asked = tally[i - 1].executed ? address_of(in) : nullptr;
    if (!asked || in.row == Row::st || !takes(in) || !is_same(*asked, word)) continue;
    while (i < give && code.instrs[i].flow != exec::Flow::Branch) ++i;
    return i;
  }
  return 0;
}

}  // namespace

void find_sections(const exec::Code& code, std::span<const Tally> tally, std::vector<Step>& steps) {
  for (std::size_t give = 0; give < code.instrs.size(); ++give) {
    const Instr& in = code.instrs[give];
    if (tally[give].executed == 0 || !gives(in) || !address_of(in)) continue;
    const std::size_t taken = taken_before(code, tally, give);
    if (taken == 0) continue;
    steps[give].gives = true;
    for (std::size_t i = taken; i < give; ++i) steps[i].held = !steps[i].awaits_blocks;
  }
}

}  // namespace emu::observe
