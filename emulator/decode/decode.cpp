// SPDX-License-Identifier: MIT
// A function as a whole: its frame, its parameters, the order of its blocks, the way through its
// instructions.
#include "decode/decode.hpp"

#include <algorithm>

#include "analysis/results.hpp"
#include "decode/decoder.hpp"
#include "machine/demangle.hpp"
#include "machine/specials.hpp"

namespace emu::exec {
namespace {

using ptx::kNoIndex;
using ptx::Operand;
using ptx::Type;

constexpr Bind kBinders[] = {
#define INSTRUCTION(id, ...) &bind_##id,
#include "ptx/instructions.def"
#undef INSTRUCTION
};
static_assert(std::size(kBinders) == ptx::kRowCount);

// As on NVIDIA GPUs: local memory of a thread.
constexpr std::uint64_t kMostLocal = 512 * 1024;
// Of a function's parameters and the .param variables in it; far more than nvcc accepts.
constexpr std::uint64_t kMostParams = 256 * 1024;

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

// Reads a clock register afresh, then does what the instruction does.
void with_clock(Warp& w, const Instr& in, LaneMask mask) {
  refresh_clock(w);
  reinterpret_cast<Handler>(reinterpret_cast<std::uintptr_t>(in.extra))(w, in, mask);
}

bool may_run_off(const ptx::Instruction& last) {
  switch (ptx::info(last.row).flow) {
    case Flow::Branch:
    case Flow::BranchTable:
    case Flow::Return:
    case Flow::Exit:
    case Flow::Trap:
      return last.guard != kNoIndex;
    default:
      return true;
  }
}

}  // namespace

Decoder::Decoder(const Names& names, const Kernel& kernel, const ptx::Module& module,
                 const ptx::Function& function)
    : names_(names), kernel_(kernel), function_(function), code_(std::make_unique<Code>()) {
  code_->function = &function;
  code_->module = &module;
  code_->name = demangle(function.name);
}

std::unique_ptr<Code> Decoder::run() {
  current_ = &function_.code.at(0);  // the place of what is wrong with the function as a whole
  const FlowGraph graph = analyse(function_);
  const Slots slots = allocate_slots(function_, graph, 0);
  if (slots.bytes >= kMostFrameBytes) unsupported("the function needs too many registers");
  slot_ = slots.offset;
  code_->frame_bytes = slots.bytes;
  lay_out_params();
  lay_out_local();
  always_ = constant(~std::uint64_t{0}, 4);
  find_known();
  emit_blocks(graph);
  return std::move(code_);
}

// .param variables and formal parameters, in a function's frame.
void Decoder::lay_out_params() {
  std::uint64_t bytes = 0;
  const auto add = [&](std::string_view name, std::uint32_t align, std::uint64_t size) {
    bytes = align_up(bytes, std::max(align, 1u));
    code_->param_at[name] = static_cast<std::uint32_t>(bytes);
    bytes += size;
    if (bytes > kMostParams) {
      unsupported("its parameters take " + std::to_string(bytes) + " bytes, more than " +
                  std::to_string(kMostParams));
    }
  };
  if (!function_.is_entry) {
    for (const auto& p : function_.params) add(p.name, p.align, p.size);
    for (const auto& p : function_.returns) add(p.name, p.align, p.size);
  }
  for (const auto& v : function_.variables) {
    if (v.space == ptx::Space::Param) add(v.name, v.align, v.size);
  }
  code_->param_bytes = static_cast<std::uint32_t>(align_up(bytes, 16));
}

void Decoder::lay_out_local() {
  std::uint64_t bytes = 0;
  for (const auto& v : function_.variables) {
    if (v.space != ptx::Space::Local) continue;
    const std::uint64_t align = std::max(v.align, 1u);
    bytes = (bytes + align - 1) / align * align;
    code_->local_at[v.name] = static_cast<std::uint32_t>(bytes);
    bytes += v.size;
    if (bytes > kMostLocal) {
      unsupported("its local variables take " + std::to_string(bytes) +
                  " bytes per thread, more than " + std::to_string(kMostLocal));
    }
  }
  code_->local_bytes = static_cast<std::uint32_t>((bytes + 15) / 16 * 16);
}

// nvcc moves many immediates into registers it never changes: reading those as constants saves
// nothing in PTX terms (the mov is still executed) but lets binders see, say, the distance of a
// shuffle.
void Decoder::find_known() {
  const auto definitions = count_definitions(function_);
  for (const auto& ins : function_.code) {
    if (ins.row != ptx::Row::mov || ins.guard != kNoIndex || ins.operands.size() != 2) continue;
    const Operand &d = ins.operands[0], &a = ins.operands[1];
    if (d.kind != Operand::Kind::Register || a.kind != Operand::Kind::Immediate) continue;
    if (definitions[d.reg] != 1 || function_.registers[d.reg].type == Type::Pred) continue;
    known_[d.reg] = immediate(a, ins.type());
  }
}

void Decoder::emit_blocks(const FlowGraph& graph) {
  if (graph.order.empty()) {
    emit_implicit_return();
    return;
  }
  spin_exits_ = find_spin_exits(function_, graph);
  std::vector<std::uint32_t> start(graph.blocks.size(), kNoIndex);
  for (std::size_t p = 0; p < graph.order.size(); ++p) {
    start[graph.order[p]] = static_cast<std::uint32_t>(code_->instrs.size());
    emit_block(graph, p);
  }
  for (const Jump& jump : jumps_) code_->instrs[jump.instr].target = start[jump.block];
  resolve_tables(graph, start);
}

void Decoder::emit_block(const FlowGraph& graph, std::size_t position) {
  const std::uint32_t b = graph.order[position];
  const BasicBlock& block = graph.blocks[b];
  if (spin_exits_.heads[b])
    code_->spin_heads.push_back(static_cast<std::uint32_t>(code_->instrs.size()));
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const auto& source = function_.code[i];
    Instr out = bind(source);
    if (out.flow == Flow::Branch) {
      const std::uint32_t label = operand(0).label;
      if (label >= function_.code.size()) {
        unsupported("the label is behind the end of the function");
      }
      const std::uint32_t to = graph.way(b, graph.block_of[label]);
      jumps_.push_back({static_cast<std::uint32_t>(code_->instrs.size()), to});
      mark_back_edge(out, graph, b, to);
      const Leaving leaving = spin_exits_.leaving[b];
      out.taken_leave = leaving == Leaving::Taken;
      out.others_leave = leaving == Leaving::Others;
      out.plain_branch = !out.back_edge && leaving == Leaving::Nobody;
    }
    code_->instrs.push_back(out);
  }
  const bool runs_off = block.falls_to == kNoIndex && may_run_off(function_.code[block.end - 1]);
  if (runs_off) emit_implicit_return();
  const bool next_follows =
      position + 1 < graph.order.size() && graph.order[position + 1] == block.falls_to;
  if (block.falls_to == kNoIndex || next_follows) return;
  Instr jump;
  jump.guard = always_;
  jump.flow = Flow::Branch;
  jump.row = ptx::Row::bra;
  mark_back_edge(jump, graph, b, block.falls_to);
  jump.plain_branch = !jump.back_edge;
  jumps_.push_back({static_cast<std::uint32_t>(code_->instrs.size()), block.falls_to});
  code_->instrs.push_back(jump);
}

void Decoder::mark_back_edge(Instr& branch, const FlowGraph& graph, std::uint32_t from,
                             std::uint32_t to) {
  branch.back_edge = graph.position[to] <= graph.position[from];
  branch.spin_edge = branch.back_edge && may_spin(function_, graph, from, to);
}

void Decoder::emit_implicit_return() {
  Instr out;
  out.guard = always_;
  out.flow = Flow::Return;
  out.row = ptx::Row::ret;
  code_->instrs.push_back(out);
}

// brx.idx keeps its targets as instruction indices of the text until the layout is known.
void Decoder::resolve_tables(const FlowGraph& graph, const std::vector<std::uint32_t>& start) {
  for (Instr& in : code_->instrs) {
    if (in.flow != Flow::BranchTable) continue;
    const auto found = function_.branch_targets.find(in.source->operands.at(1).symbol);
    if (found == function_.branch_targets.end()) {
      current_ = in.source;
      unsupported("the branch table is not defined");
    }
    std::vector<std::uint32_t> targets;
    const std::uint32_t from = graph.block_of.at(in.source - function_.code.data());
    for (const std::uint32_t t : found->second) {
      targets.push_back(start.at(graph.way(from, graph.block_of.at(t))));
    }
    in.count = static_cast<std::uint16_t>(std::min<std::size_t>(targets.size(), 0xffff));
    in.extra = make(std::move(targets));
  }
}

Instr Decoder::bind(const ptx::Instruction& source) {
  current_ = &source;
  reads_clock_ = false;
  Instr out = unbound(source);
  out.guard = source.guard == kNoIndex ? always_ : slot(source.guard);
  out.guard_flip = source.guard_negated ? kAllLanes : 0;
  if (const std::string why = result_problem(function_, source); !why.empty()) unsupported(why);
  kBinders[static_cast<std::size_t>(source.row)](*this, out);
  if (reads_clock_) {
    if (out.extra) unsupported("a clock register cannot be read by this instruction");
    out.extra = reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(out.fn));
    out.fn = &with_clock;
  }
  return out;
}

std::unique_ptr<Code> decode(const Names& names, const Kernel& kernel, const ptx::Module& module,
                             const ptx::Function& function) {
  return Decoder(names, kernel, module, function).run();
}

}  // namespace emu::exec
