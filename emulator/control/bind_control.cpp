// SPDX-License-Identifier: MIT
// Branches, calls, ends, and the instructions that have no effect here. What they do is in
// warp_run.cpp and calls.cpp.
#include <algorithm>
#include <string>

#include "bind/bind.hpp"
#include "control/call_site.hpp"
#include "machine/demangle.hpp"
#include "machine/grid.hpp"
#include "machine/source_place.hpp"

namespace emu::exec {
namespace {

void nothing(Warp&, const Instr&, LaneMask) {}

// cooperative_groups traps where its barrier of the grid finds no workspace.
bool in_grid_sync(const Warp& warp, const Instr& in) {
  if (warp.block->grid->cooperative_workspace) return false;
  const SourcePlace place = place_of(*warp.frame->code, *in.source);
  return std::any_of(place.inlined.begin(), place.inlined.end(), [](const std::string& line) {
    return line.find("cooperative_groups") != line.npos;
  });
}

void trap(Warp& warp, const Instr& in, LaneMask mask) {
  if (in_grid_sync(warp, in)) {
    fault(
        FaultKind::Trap, first_lane(mask),
        "grid.sync() in a kernel that was not launched with cudaLaunchCooperativeKernel(): blocks "
        "that have not started cannot come to it",
        Cause::OrdinaryLaunch);
  }
  fault(FaultKind::Trap, first_lane(mask),
        "the program executed trap (an abort(), __trap(), or cooperative groups' grid.sync() in a "
        "kernel that was not "
        "launched with cudaLaunchCooperativeKernel)");
}

CallSite::Value value_of(Binder& b, const ptx::Operand& op) {
  if (op.kind != ptx::Operand::Kind::Symbol) b.unsupported("calls pass .param variables only");
  const auto found = b.code().param_at.find(op.symbol);
  if (found == b.code().param_at.end())
    b.unsupported("the parameter " + std::string(op.symbol) + " is not declared");
  for (const auto& v : b.code().function->variables) {
    if (v.name == op.symbol) return {found->second, static_cast<std::uint32_t>(v.size)};
  }
  b.unsupported("the parameter " + std::string(op.symbol) + " is not a .param variable");
  return {};
}

void check_callee(Binder& b, const CallSite& site, const ptx::Function& callee) {
  if (callee.is_entry) b.unsupported("it calls a kernel: only the host can start one");
  const auto check = [&](const char* what, std::size_t given, const std::vector<ptx::Param>& list) {
    if (given != list.size()) {
      b.unsupported("it passes " + std::to_string(given) + " " + what + " to a function of " +
                    std::to_string(list.size()));
    }
    for (const auto& p : list) {
      if (p.is_register) b.unsupported("functions with .reg parameters are not supported");
    }
  };
  check("arguments", site.arguments.size(), callee.params);
  check("results", site.results.size(), callee.returns);
}

void bind_builtin(Binder& b, CallSite& site, std::string_view name) {
  site.builtin = find_builtin(name);
  if (!site.builtin) {
    // With libcudadevrt linked in, only its own calls stay open.
    if (name.starts_with("__cudaCDP2") || name.starts_with("__cuda_syscall_cnp")) {
      b.unsupported("it calls " + std::string(name) +
                    ": the runtime inside kernels, with launches from a kernel (dynamic "
                    "parallelism), is not supported");
    }
    b.unsupported("it calls " + demangle(name) +
                  ", which no part of the program defines and the emulator does not provide");
  }
  const BuiltinShape shape = shape_of_builtin(name);
  const auto check = [&](const std::vector<CallSite::Value>& given,
                         const std::vector<std::uint32_t>& bytes, bool may_miss) {
    bool fits = given.size() == bytes.size() || (may_miss && given.empty());
    for (std::size_t i = 0; fits && i < given.size(); ++i) fits = given[i].size >= bytes[i];
    if (!fits)
      b.unsupported("it calls " + std::string(name) + " with other parameters than it has");
  };
  check(site.arguments, shape.arguments, false);
  check(site.results, shape.results, true);
  for (const auto& v : site.arguments) site.argument_offsets.push_back(v.offset);
  for (const auto& v : site.results) site.result_offsets.push_back(v.offset);
}

}  // namespace

void bind_bra(Binder&, Instr&) {}

void bind_brx(Binder& b, Instr& out) { out.src[0] = b.source(0, ptx::Type::U32); }

void bind_call(Binder& b, Instr& out) {
  CallSite site;
  for (const auto& op : b.operand(0).parts) site.results.push_back(value_of(b, op));
  for (const auto& op : b.operand(2).parts) site.arguments.push_back(value_of(b, op));
  const ptx::Operand& callee = b.operand(1);
  if (callee.kind == ptx::Operand::Kind::Register) {
    out.src[0] = b.source(callee, ptx::Type::U64);
  } else {
    const auto found = b.callee(callee.symbol);
    site.callee = found.function;
    site.module = found.module;
    if (found.function) {
      check_callee(b, site, *found.function);
    } else {
      bind_builtin(b, site, callee.symbol);
    }
  }
  out.extra = b.make(std::move(site));
}

void bind_ret(Binder&, Instr&) {}
void bind_exit(Binder&, Instr&) {}
void bind_trap(Binder&, Instr& out) { out.fn = &trap; }
void bind_brkpt(Binder&, Instr& out) { out.fn = &trap; }

// Others may run first; the time itself is not modelled here.
void bind_nanosleep(Binder&, Instr& out) { out.fn = &nothing; }
void bind_pmevent(Binder&, Instr& out) { out.fn = &nothing; }
void bind_setmaxnreg(Binder&, Instr& out) { out.fn = &nothing; }
// Grids run one after another, so a dependent grid finds its predecessor complete.
void bind_griddepcontrol(Binder&, Instr& out) { out.fn = &nothing; }

void bind_unknown(Binder& b, Instr&) { b.unsupported(b.ins().why); }

}  // namespace emu::exec
