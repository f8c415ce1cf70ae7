// SPDX-License-Identifier: MIT
// What an instruction is to those who count: its class, and whether it orders or hands something on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "counters/counters.hpp"
#include "machine/warp.hpp"

namespace emu::observe {

// The counter of the instructions that are counted as such; Counter::Count: none.
Counter class_of(ptx::Row row);
// A store or an atomic that orders what its thread did before; a fence is counted as one.
bool releases(const ptx::Instruction& ins);
// An exchange, a compare-and-swap or a store with release.
bool hands_over(const ptx::Instruction& ins);
inline bool is_bulk(ptx::Row row) { return ptx::info(row).others == ptx::Others::Bulk; }
// Whether the first operand is a result.
inline bool writes_first(ptx::Row row) { return ptx::info(row).result != ptx::Result::None; }
// Whether it names a state space (or one that begins so, as shared::cluster).
bool in_space(const ptx::Instruction& ins, std::string_view space);
// Which instructions are an atom whose result nobody reads: nvcc writes every atomicAdd() as atom,
// and ptxas makes a reduction (red) of those. Not of exchanges: there is no such reduction.
std::vector<std::uint8_t> unwanted_results(const exec::Code& code);

// Which instructions are integer atomics whose lanes the compiler adds up first, so that a warp makes one:
// it must see that they mean one address, and have an instruction for it.
std::vector<std::uint8_t> aggregated_atomics(const exec::Code& code);

// Which instructions are stores to global memory at a place that follows, through registers, from what an atomic there returned.
std::vector<std::uint8_t> placed_stores(const exec::Code& code);

// Whether threads take what they have to do from a counter, piece by piece: what its atomic returns decides whether they go
// round again. Here whoever comes first takes nearly all of it, on a GPU all take part.
bool takes_tickets(const exec::Code& code);
// Where the loop begins in which threads try one place after another until a compare-and-swap has been successful, as those do
// who fill a hash table. Here whoever comes later finds less room, on a GPU all that run at a time fill it together.
std::optional<std::size_t> tries_places(const exec::Code& code);
// The same of tickets and a function that is not bound yet, whether it goes round or not.
bool branches_by_tickets(const ptx::Function& function);

// A division, a root and the like: many instructions of the machine.
bool takes_long(ptx::Row row);

// For every register that the operand names.
template <class Visit>
void visit_registers(const ptx::Operand& op, Visit&& each) {
  if (op.reg != ptx::kNoIndex) each(op.reg);
  for (const ptx::Operand& part : op.parts) visit_registers(part, each);
}

// For every register that an instruction reads, its predicate among them, or writes.
template <class Visit>
void visit_read(const exec::Instr& at, Visit&& each) {
  const ptx::Instruction& ins = *at.source;
  if (ins.guard != ptx::kNoIndex) each(ins.guard);
  for (std::size_t k = writes_first(at.row) ? 1 : 0; k < ins.operands.size(); ++k)
    visit_registers(ins.operands[k], each);
}
template <class Visit>
void visit_written(const exec::Instr& at, Visit&& each) {
  if (writes_first(at.row) && !at.source->operands.empty() &&
      at.source->operands[0].kind != ptx::Operand::Kind::Address)
    visit_registers(at.source->operands[0], each);
}

}  // namespace emu::observe
