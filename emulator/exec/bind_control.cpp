// SPDX-License-Identifier: MIT
// Branches, calls, ends, and the instructions that have no effect here. What they do is in warp_run.cpp and calls.cpp.
#include <string>

#include "exec/bind.hpp"
#include "exec/call_site.hpp"
#include "exec/image.hpp"

namespace emu::exec {
namespace {

void nothing(Warp&, const Instr&, LaneMask) {}

void trap(Warp&, const Instr&, LaneMask mask) {
  fault(FaultKind::Trap, first_lane(mask),
        "the program executed trap (an abort(), __trap(), or cooperative groups' grid.sync() in a kernel that was not "
        "launched with cudaLaunchCooperativeKernel)");
}

CallSite::Value value_of(Binder& b, const ptx::Operand& op) {
  if (op.kind != ptx::Operand::Kind::Symbol) b.unsupported("calls pass .param variables only");
  const auto found = b.code().param_at.find(op.symbol);
  if (found == b.code().param_at.end()) b.unsupported("the parameter " + std::string(op.symbol) + " is not declared");
  for (const auto& v : b.code().function->variables) {
    if (v.name == op.symbol) return {found->second, static_cast<std::uint32_t>(v.size)};
  }
  b.unsupported("the parameter " + std::string(op.symbol) + " is not a .param variable");
  return {};
}

}  // namespace

void bind_bra(Binder&, Instr& out) { out.flow = Flow::Branch; }

void bind_brx(Binder& b, Instr& out) {
  out.flow = Flow::BranchTable;
  out.src[0] = b.source(0, ptx::Type::U32);
}

void bind_call(Binder& b, Instr& out) {
  out.flow = Flow::Call;
  CallSite site;
  for (const auto& op : b.operand(0).parts) site.results.push_back(value_of(b, op));
  for (const auto& op : b.operand(2).parts) site.arguments.push_back(value_of(b, op));
  const ptx::Operand& callee = b.operand(1);
  if (callee.kind == ptx::Operand::Kind::Register) {
    out.src[0] = b.source(callee, ptx::Type::U64);
  } else {
    const auto found = b.image().program->impl().find_function(*b.code().module, callee.symbol);
    site.callee = found.function;
    site.module = found.module;
    if (!found.function) {
      site.builtin = find_builtin(callee.symbol);
      if (!site.builtin) {
        b.unsupported("it calls " + demangle(callee.symbol) + ", which no part of the program defines and the emulator does not provide");
      }
      for (const auto& v : site.arguments) site.argument_offsets.push_back(v.offset);
      for (const auto& v : site.results) site.result_offsets.push_back(v.offset);
    } else if (found.function->params.size() != site.arguments.size()) {
      b.unsupported("it passes " + std::to_string(site.arguments.size()) + " arguments to a function of " +
                    std::to_string(found.function->params.size()));
    }
  }
  out.extra = b.make(std::move(site));
}

void bind_ret(Binder&, Instr& out) { out.flow = Flow::Return; }
void bind_exit(Binder&, Instr& out) { out.flow = Flow::Exit; }
void bind_trap(Binder&, Instr& out) { out.fn = &trap; }
void bind_brkpt(Binder&, Instr& out) { out.fn = &trap; }

// Others may run first; the time itself is not modelled here.
void bind_nanosleep(Binder&, Instr& out) {
  out.flow = Flow::Yield;
  out.fn = &nothing;
}
void bind_pmevent(Binder&, Instr& out) { out.fn = &nothing; }
void bind_setmaxnreg(Binder&, Instr& out) { out.fn = &nothing; }
// Grids run one after another, so a dependent grid finds its predecessor complete.
void bind_griddepcontrol(Binder&, Instr& out) { out.fn = &nothing; }

void bind_unknown(Binder& b, Instr&) { b.unsupported(b.ins().why); }

}  // namespace emu::exec
