// SPDX-License-Identifier: MIT
// Linking: every name of the modules gets its place in the memory of one device.
#include "program/program.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <set>

#include "machine/demangle.hpp"
#include "program/image.hpp"

namespace emu::exec {
namespace {

using memory::AddressSpace;
using ptx::Linkage;
using ptx::Space;

bool lives_in_memory(const ptx::Variable& variable) {
  return variable.space == Space::Global || variable.space == Space::Const;
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

std::vector<Callee> Program::Impl::address_taken() const {
  std::vector<Callee> taken;
  std::set<const ptx::Function*> seen;
  const auto note = [&](const ptx::Module& module, std::string_view name) {
    const Callee callee = name.empty() ? Callee{} : find_function(module, name);
    if (!callee.function || callee.function->is_entry) return;
    if (seen.insert(callee.function).second) taken.push_back(callee);
  };
  for (const auto& module : modules) {
    for (const auto& variable : module->variables) {
      for (const auto& r : variable.relocations) note(*module, r.symbol);
    }
    for (const auto& function : module->functions) {
      for (const auto& ins : function->code) {
        if (ptx::info(ins.row).flow == ptx::Flow::Call) continue;  // it names whom it calls
        for (const auto& op : ins.operands) {
          note(*module, op.symbol);
          for (const auto& part : op.parts) note(*module, part.symbol);
        }
      }
    }
  }
  return taken;
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

}  // namespace emu::exec
