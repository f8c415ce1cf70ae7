// SPDX-License-Identifier: MIT
// Linking: every name of the modules gets its place in the memory of one device.
#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <set>

#include "analysis/control_flow.hpp"
#include "analysis/register_estimate.hpp"
#include "machine/demangle.hpp"
#include "machine/specials.hpp"
#include "program/image.hpp"

namespace emu::exec {
namespace {

using memory::AddressSpace;
using ptx::Linkage;
using ptx::Space;

bool lives_in_memory(const ptx::Variable& variable) {
  return variable.space == Space::Global || variable.space == Space::Const;
}

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return align == 0 ? value : (value + align - 1) / align * align;
}

// Sizes of memory spaces are 32-bit numbers. One that does not fit stays too large, and the launch
// is refused for it.
std::uint32_t saturated(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
}

GlobalVariable place_variable(const ptx::Variable& variable, int device) {
  const auto kind = variable.managed                 ? memory::Kind::Managed
                    : variable.space == Space::Const ? memory::Kind::Constant
                                                     : memory::Kind::Symbol;
  memory::Allocation* allocation = nullptr;
  try {
    allocation = &AddressSpace::instance().allocate(variable.size, kind, device,
                                                    std::max<std::uint32_t>(variable.align, 16),
                                                    demangle(variable.name));
  } catch (const std::bad_alloc&) {
    throw LinkError("there is no memory for the variable " + demangle(variable.name) + " of " +
                    std::to_string(variable.size) + " bytes");
  }
  // Larger ones are fresh pages, which are zero.
  if (variable.size <= memory::kFillLimit) std::memset(allocation->bytes, 0, variable.size);
  const auto init = std::min<std::size_t>(variable.init.size(), variable.size);
  if (init != 0) std::memcpy(allocation->bytes, variable.init.data(), init);
  return {allocation->address, static_cast<std::size_t>(variable.size), variable.managed,
          variable.space == Space::Const};
}

void relocate(Program::Impl& impl, const ptx::Module& module, const ptx::Variable& variable) {
  const GlobalVariable* self = impl.find_variable(module, variable.name);
  if (impl.borrowed.contains(self->address)) return;
  for (const auto& r : variable.relocations) {
    std::uint64_t value = 0;
    if (const auto* target = impl.find_variable(module, r.symbol)) {
      value = target->address;
    } else if (const auto callee = impl.find_function(module, r.symbol); callee.function) {
      value = impl.address_of.at(callee.function);
    } else {
      throw LinkError("the initialiser of " + demangle(variable.name) + " names " +
                      demangle(r.symbol) + ", which no part of the program defines");
    }
    value += static_cast<std::uint64_t>(r.addend);
    if (auto* at = AddressSpace::instance().host(self->address + r.at, r.bytes)) {
      std::memcpy(at, &value, std::min<std::size_t>(r.bytes, sizeof value));
    }
  }
}

// Names that one module defines for all; they win over weak and common ones.
struct StrongNames {
  std::set<std::string_view> variables, functions;

  explicit StrongNames(const std::vector<std::shared_ptr<const ptx::Module>>& modules) {
    for (const auto& module : modules) {
      for (const auto& v : module->variables) {
        if (!lives_in_memory(v) || v.linkage != Linkage::Visible) continue;
        if (!variables.insert(v.name).second) {
          throw LinkError("the variable " + demangle(v.name) + " is defined twice");
        }
      }
      for (const auto& f : module->functions) {
        if (!f->has_body || f->linkage != Linkage::Visible) continue;
        if (!functions.insert(f->name).second) {
          throw LinkError("the function " + demangle(f->name) + " is defined twice");
        }
      }
    }
  }
};

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
      const bool indirect = ins.row == ptx::Row::call && ins.operands.size() > 1 &&
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

const GlobalVariable* Program::Impl::find_variable(const ptx::Module& module,
                                                   std::string_view name) const {
  const Scope& own = scopes.at(&module);
  if (const auto it = own.find(name); it != own.end()) return &it->second;
  if (const auto it = exported.find(name); it != exported.end()) return &it->second;
  return nullptr;
}

Callee Program::Impl::find_function(const ptx::Module& module, std::string_view name) const {
  const auto& own = own_functions.at(&module);
  if (const auto it = own.find(name); it != own.end()) return {it->second, &module};
  if (const auto it = functions.find(name); it != functions.end()) return it->second;
  return {};
}

const Callee* Program::Impl::function_at(memory::Address address) const {
  if ((address & memory::kWindowMask) != memory::kFunctionWindow) return nullptr;
  const std::uint64_t index = (address & ~memory::kWindowMask) >> 4;
  if (index == 0 || index > by_address.size() || (address & 15) != 0) return nullptr;
  return &by_address[index - 1];
}

Program::Program(std::vector<std::shared_ptr<const ptx::Module>> modules, int device,
                 const Program* managed_from)
    : impl_(std::make_unique<Impl>()) {
  impl_->modules = std::move(modules);
  impl_->device = device;
  try {
    place_symbols(managed_from);
    for (const auto& module : impl_->modules) relocate_variables(*module);
    for (const auto& callee : impl_->by_address) {
      if (!callee.function->is_entry) continue;
      impl_->kernels.emplace(callee.function->name, std::make_unique<KernelImage>(
                                                        *this, *callee.module, *callee.function));
    }
  } catch (...) {
    release_variables();
    throw;
  }
}

void Program::place_symbols(const Program* managed_from) {
  Impl& impl = *impl_;
  const StrongNames strong(impl.modules);
  for (const auto& module : impl.modules) {
    auto& scope = impl.scopes[module.get()];
    for (const auto& variable : module->variables) {
      if (!lives_in_memory(variable) || variable.linkage == Linkage::Extern) continue;
      const bool shared_name =
          variable.linkage == Linkage::Weak || variable.linkage == Linkage::Common;
      if (shared_name &&
          (impl.exported.contains(variable.name) || strong.variables.contains(variable.name))) {
        continue;
      }
      const GlobalVariable* borrowed =
          variable.managed && managed_from ? managed_from->variable(variable.name) : nullptr;
      const GlobalVariable placed = borrowed ? *borrowed : place_variable(variable, impl.device);
      if (borrowed) impl.borrowed.insert(placed.address);
      scope.emplace(variable.name, placed);
      if (variable.linkage != Linkage::Internal) impl.exported.emplace(variable.name, placed);
    }
    auto& own = impl.own_functions[module.get()];
    for (const auto& function : module->functions) {
      if (!function->has_body) continue;
      if (function->linkage == Linkage::Weak &&
          (impl.functions.contains(function->name) || strong.functions.contains(function->name))) {
        continue;
      }
      own.emplace(function->name, function.get());
      if (function->linkage != Linkage::Internal) {
        impl.functions.emplace(function->name, Callee{function.get(), module.get()});
      }
      impl.by_address.push_back({function.get(), module.get()});
      impl.address_of[function.get()] =
          memory::kFunctionWindow | (std::uint64_t{impl.by_address.size()} << 4);
    }
  }
}

void Program::relocate_variables(const ptx::Module& module) {
  for (const auto& variable : module.variables) {
    if (lives_in_memory(variable) && impl_->scopes[&module].contains(variable.name)) {
      relocate(*impl_, module, variable);
    }
  }
}

Program::~Program() { release_variables(); }

void Program::release_variables() {
  for (const auto& [module, scope] : impl_->scopes) {
    for (const auto& [name, variable] : scope) {
      if (!impl_->borrowed.contains(variable.address)) {
        AddressSpace::instance().release(variable.address);
      }
    }
  }
}

const Kernel* Program::kernel(std::string_view mangled) const {
  const auto it = impl_->kernels.find(mangled);
  if (it == impl_->kernels.end()) return nullptr;
  it->second->estimate_registers();
  return it->second.get();
}

const GlobalVariable* Program::variable(std::string_view name) const {
  for (const auto& module : impl_->modules) {
    const auto& scope = impl_->scopes.at(module.get());
    if (const auto it = scope.find(name); it != scope.end()) return &it->second;
  }
  return nullptr;
}

std::vector<std::string> Program::kernel_names() const {
  std::vector<std::string> names;
  for (const auto& [name, kernel] : impl_->kernels) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

// ---- kernels

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

void KernelImage::prepare() const {
  if (prepared_) return;
  std::vector<std::pair<const ptx::Function*, const ptx::Module*>> work{{function, module}};
  std::set<const ptx::Function*> seen{function};
  while (!work.empty()) {
    const auto [f, m] = work.back();
    work.pop_back();
    code(*f, *m);
    for (const auto& ins : f->code) {
      if (ins.row != ptx::Row::call || ins.operands.size() < 2) continue;
      const auto callee = program->impl().find_function(*m, ins.operands[1].symbol);
      if (callee.function && seen.insert(callee.function).second) {
        work.emplace_back(callee.function, callee.module);
      }
    }
  }
  prepared_ = true;
}

}  // namespace emu::exec
