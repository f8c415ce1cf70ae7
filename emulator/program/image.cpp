// SPDX-License-Identifier: MIT
// A kernel of a linked program: what it can reach, where its shared memory lies, what its names mean.
#include "program/image.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "analysis/control_flow.hpp"
#include "analysis/register_estimate.hpp"
#include "machine/demangle.hpp"
#include "machine/source_place.hpp"
#include "machine/specials.hpp"

namespace emu::exec {
namespace {

using ptx::Linkage;
using ptx::Space;

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return align == 0 ? value : (value + align - 1) / align * align;
}

// Sizes of memory spaces are 32-bit numbers. One that does not fit stays too large, and the launch
// is refused for it.
std::uint32_t saturated(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
}

using Reached = std::set<std::pair<const ptx::Function*, const ptx::Module*>>;

// All functions a kernel may run: what it names, and everything if it calls through a pointer.
Reached reach(const Program::Impl& impl, const ptx::Module& module, const ptx::Function& function) {
  Reached seen{{&function, &module}};
  std::vector<Callee> work{{&function, &module}};
  const auto follow = [&](const Callee& callee) {
    if (callee.function && seen.insert({callee.function, callee.module}).second) {
      work.push_back(callee);
    }
  };
  bool all = false;
  while (!work.empty()) {
    const auto [f, m] = work.back();
    work.pop_back();
    for (const auto& ins : f->code) {
      const bool indirect = ptx::info(ins.row).flow == ptx::Flow::Call && ins.operands.size() > 1 &&
                            ins.operands[1].kind == ptx::Operand::Kind::Register;
      if (indirect && !all) {
        all = true;
        // No pointer leads to a kernel, and the shared memory of another kernel is not this one's.
        for (const auto& callee : impl.by_address) {
          if (!callee.function->is_entry) follow(callee);
        }
      }
      for (const auto& op : ins.operands) {
        if (!op.symbol.empty() && op.kind != ptx::Operand::Kind::Special) {
          follow(impl.find_function(*m, op.symbol));
        }
      }
    }
  }
  return seen;
}

}  // namespace

KernelImage::KernelImage(Program& owner, const ptx::Module& m, const ptx::Function& f) {
  program = &owner;
  function = &f;
  module = &m;
  name = std::string(f.name);
  pretty = demangle(f.name);
  for (const auto& p : f.params) param_bytes = std::max(param_bytes, p.offset + p.size);
  std::uint64_t local = 0, constant = 0;
  for (const auto& v : f.variables) {
    if (v.space == Space::Local) local = align_up(local, v.align) + v.size;
  }
  for (const auto& v : m.variables) {
    if (v.space == Space::Const) constant += v.size;
  }
  local_bytes = saturated(local);
  constant_bytes = saturated(constant);
  const auto threads = [](const std::uint32_t(&d)[3]) {
    const std::uint64_t plane = std::uint64_t{d[0]} * std::max(1u, d[1]);
    return saturated(std::uint64_t{saturated(plane)} * std::max(1u, d[2]));
  };
  if (f.required_threads[0] != 0) {
    max_threads = threads(f.required_threads);
  } else if (f.max_threads[0] != 0) {
    max_threads = threads(f.max_threads);
  }
  ptx_version = m.sm;
  lay_out_shared(m, f);
}

void KernelImage::estimate_registers() {
  if (registers != 0) return;
  constexpr std::uint32_t kFewest = 16, kMost = 255, kStep = 8;
  std::uint32_t most = function->max_registers ? function->max_registers : kMost;
  // A kernel that must run with this many threads gets no more than fit.
  if (max_threads > 256) most = std::min(most, 65536 / max_threads);
  // And __launch_bounds__(threads, blocks) promises that so many blocks fit: ptxas keeps to that, if
  // it must by spilling.
  if (const auto blocks = function->min_blocks; blocks > 1) {
    const std::uint64_t together = align_up(std::uint64_t{max_threads}, 32) * blocks;
    most = std::min(most, std::max(kFewest, saturated(65536 / together / kStep * kStep)));
  }
  const std::uint64_t live = estimate_live_words(*function, analyse(*function));
  // ptxas takes some more for what it makes of the PTX (addresses, copies): eight fit best.
  registers = std::min(most, std::max(kFewest, saturated(align_up(live + 8, kStep))));
}

void KernelImage::lay_out_shared(const ptx::Module& m, const ptx::Function& f) {
  const Reached reached = reach(program->impl(), m, f);
  std::vector<const ptx::Variable*> variables;
  std::set<std::string_view> named;
  bool uses_reserved = false;
  const auto name_operands = [&](const ptx::Function& g) {
    for (const auto& ins : g.code) {
      for (const auto& op : ins.operands) {
        named.insert(op.symbol);
        uses_reserved |= op.symbol.starts_with("%reserved_smem");
        for (const auto& part : op.parts) named.insert(part.symbol);
      }
    }
  };
  for (const auto& [g, gm] : reached) name_operands(*g);
  // In the order of the text, so that the same program always gets the same layout.
  for (const auto& mod : program->impl().modules) {
    for (const auto& v : mod->variables) {
      if (v.space == Space::Shared && named.contains(v.name)) variables.push_back(&v);
    }
    for (const auto& g : mod->functions) {
      if (!reached.contains({g.get(), mod.get()})) continue;
      for (const auto& v : g->variables) {
        if (v.space == Space::Shared) variables.push_back(&v);
      }
    }
  }
  if (uses_reserved) reserved_shared = kReservedShared;
  std::uint32_t align_dynamic = 16;
  std::uint64_t end = reserved_shared;
  for (const auto* v : variables) {
    if (v->linkage == Linkage::Extern || v->size == 0) {
      align_dynamic = std::max(align_dynamic, v->align);
      continue;
    }
    end = align_up(end, v->align);
    shared_at_[v] = saturated(end);
    end += v->size;
  }
  const std::uint64_t dynamic_at = align_up(end, align_dynamic);
  for (const auto* v : variables) {
    if (shared_at_.contains(v)) continue;
    shared_at_[v] = saturated(dynamic_at);
    end = dynamic_at;
  }
  static_shared = saturated(end - reserved_shared);
  for (const auto* v : variables) shared.push_back({v->name, shared_at_[v], v->size, v->type});
}

Symbol KernelImage::resolve(const Code& code, std::string_view symbol) const {
  using Kind = Symbol::Kind;
  if (code.function->is_entry) {
    for (const auto& p : code.function->params) {
      if (p.name == symbol) return {Kind::KernelParam, p.offset, nullptr};
    }
  }
  if (const auto it = code.param_at.find(symbol); it != code.param_at.end()) {
    return {Kind::FrameParam, it->second, nullptr};
  }
  if (const auto it = code.local_at.find(symbol); it != code.local_at.end()) {
    return {Kind::Local, it->second, nullptr};
  }
  const auto shared_in = [&](const std::vector<ptx::Variable>& list) -> const ptx::Variable* {
    for (const auto& v : list) {
      if (v.space == Space::Shared && v.name == symbol && shared_at_.contains(&v)) return &v;
    }
    return nullptr;
  };
  const ptx::Variable* v = shared_in(code.function->variables);
  if (!v) v = shared_in(code.module->variables);
  for (const auto& other : program->impl().modules) {
    if (!v) v = shared_in(other->variables);
  }
  if (v) return {Kind::Shared, shared_at_.at(v), nullptr};
  const auto& impl = program->impl();
  if (const auto* g = impl.find_variable(*code.module, symbol)) {
    return {Kind::Global, g->address, nullptr};
  }
  if (const auto callee = impl.find_function(*code.module, symbol); callee.function) {
    return {Kind::Function, impl.address_of.at(callee.function), callee.function};
  }
  return {};
}

Callee KernelImage::find_function(const ptx::Module& m, std::string_view symbol) const {
  return program->impl().find_function(m, symbol);
}

const Code& KernelImage::code(const ptx::Function& f, const ptx::Module& m) const {
  auto& slot = codes_[&f];
  if (!slot) slot = decode(*this, *this, m, f);
  return *slot;
}

const Code* KernelImage::reached(const Callee& callee, std::string& why) const {
  if (const auto failed = undecodable_.find(callee.function); failed != undecodable_.end()) {
    why = failed->second;
    return nullptr;
  }
  try {
    return &code(*callee.function, *callee.module);
  } catch (const KernelError& error) {
    why = undecodable_[callee.function] = error.why;
    return nullptr;
  }
}

// All that a function leads to by name. Returns whether any of it calls through a pointer. `must`:
// what cannot be decoded is an error, which says how the kernel comes there.
bool KernelImage::decode_all_named(const Callee& first, bool must) const {
  struct Step {
    Callee callee;
    std::size_t caller = 0;
    const ptx::Instruction* at = nullptr;  // the call
  };
  std::vector<Step> steps{{first, 0, nullptr}};
  std::set<const ptx::Function*> seen{first.function};
  bool indirect = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Callee now = steps[i].callee;
    try {
      code(*now.function, *now.module);
    } catch (KernelError& error) {
      if (!must) {
        undecodable_[now.function] = error.why;
        continue;
      }
      for (std::size_t s = i; steps[s].at; s = steps[s].caller) {
        const Callee& from = steps[steps[s].caller].callee;
        const Code& calling = code(*from.function, *from.module);
        error.report += "  called  by " + calling.name + "\n" + place_lines(calling, *steps[s].at);
      }
      throw;
    }
    for (const auto& ins : now.function->code) {
      if (ptx::info(ins.row).flow != ptx::Flow::Call || ins.operands.size() < 2) continue;
      indirect |= ins.operands[1].kind == ptx::Operand::Kind::Register;
      const Callee next = find_function(*now.module, ins.operands[1].symbol);
      if (next.function && seen.insert(next.function).second) steps.push_back({next, i, &ins});
    }
  }
  return indirect;
}

void KernelImage::prepare() const {
  if (prepared_) return;
  if (decode_all_named({function, module}, true)) {
    for (const Callee& callee : program->impl().address_taken()) decode_all_named(callee, false);
  }
  prepared_ = true;
}

}  // namespace emu::exec
