// SPDX-License-Identifier: MIT
// From registered fatbins to linked programs, and from host addresses to what is in them.
#include "cudart/loading/module.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "cudart/environment/say.hpp"
#include "cudart/environment/startup.hpp"
#include "cudart/loading/fatbin.hpp"
#include "machine/demangle.hpp"
#include "machine/fault.hpp"
#include "memory/address_space.hpp"
#include "ptx/ptx_error.hpp"

namespace emu::cudart {

bool FatbinRecord::has_managed() const {
  return std::any_of(variables.begin(), variables.end(), [](const auto& v) { return v->managed; });
}

// Never destroyed: nvcc's exit handlers call __cudaUnregisterFatBinary after the destructors of our
// own statics.
Registry& Registry::instance() {
  static auto* registry = new Registry;
  return *registry;
}

FatbinRecord* Registry::add(const void* wrapper) {
  fatbins_.push_back(std::make_unique<FatbinRecord>());
  fatbins_.back()->wrapper = wrapper;
  return fatbins_.back().get();
}

FatbinRecord* Registry::find_fatbin(const void* handle) {
  for (const auto& record : fatbins_)
    if (record.get() == handle) return record.get();
  return nullptr;
}

void Registry::remove(FatbinRecord* record) {
  ++generation_;
  const auto owned = [record](const auto& item) { return item.second->owner == record; };
  std::erase_if(kernels_, owned);
  std::erase_if(variables_, owned);
  // Its programs stay: at exit the memory they live in may be gone already, and destructors of the
  // program may still copy from a symbol. Forgetting the names is enough.
  for (auto& [device, program] : record->programs) retired_.push_back(std::move(program));
  std::erase_if(fatbins_, [record](const auto& item) { return item.get() == record; });
}

void Registry::add_kernel(FatbinRecord& owner, const void* host, std::string name) {
  auto kernel = std::make_unique<KernelRecord>();
  kernel->owner = &owner;
  kernel->host = host;
  kernel->name = std::move(name);
  kernels_[host] = kernel.get();
  kernels_[kernel.get()] = kernel.get();
  owner.kernels.push_back(std::move(kernel));
}

void Registry::add_variable(FatbinRecord& owner, const void* host, std::string name,
                            std::size_t size, bool managed) {
  auto variable = std::make_unique<VariableRecord>();
  variable->owner = &owner;
  variable->host = host;
  variable->name = std::move(name);
  variable->size = size;
  variable->managed = managed;
  variables_[host] = variable.get();
  owner.variables.push_back(std::move(variable));
}

KernelRecord* Registry::kernel(const void* handle) const {
  const auto it = kernels_.find(handle);
  return it == kernels_.end() ? nullptr : it->second;
}

VariableRecord* Registry::variable(const void* host) const {
  if (const auto it = variables_.find(host); it != variables_.end()) return it->second;
  // A managed variable is named by its own address: that is what the host's expression for it
  // gives.
  for (const auto& [shadow, record] : variables_)
    if (record->published && record->published == host) return record;
  return nullptr;
}

// Unpacks and parses the PTX of every part.
void Registry::load(FatbinRecord& record, std::uint32_t sm) {
  record.loaded = true;
  for (const auto& variable : record.variables) {
    if (variable->managed) continue;
    memory::AddressSpace::instance().note_stand_in(variable->host, variable->size,
                                                   exec::demangle(variable->name));
  }
  try {
    // A program built with -rdc=true also carries the parts of NVIDIA's device library, which need
    // not suit this GPU: what has no usable PTX is left out, and missed only if something refers to
    // it.
    std::string why;
    for (const auto& fatbin : read_wrapper(record.wrapper).fatbins) {
      const PtxChoice choice = choose_ptx(read_fatbin(fatbin), sm);
      if (choice.entry) {
        record.modules.push_back(ptx::parse(unpack_ptx(*choice.entry)));
      } else if (why.empty()) {
        why = choice.why;
      }
    }
    if (record.modules.empty() && !why.empty()) {
      say(why);
      record.failure = cudaErrorNoKernelImageForDevice;
    }
  } catch (const FatbinError& e) {
    say(std::string("the program's device code cannot be read: ") + e.what());
    record.failure = cudaErrorInvalidKernelImage;
  } catch (const ptx::PtxError& e) {
    say(std::string("the program's PTX cannot be read: ") + e.what());
    record.failure = cudaErrorInvalidPtx;
  } catch (const std::bad_alloc&) {
    // The caller hears of it. The next call tries again: half a program would lack its kernels.
    record.modules.clear();
    record.loaded = false;
    throw;
  }
}

// Gives the host its pointers to managed variables. Without a program they get zeroed memory, so
// that the host does not crash on them: the failure shows at the first launch.
void Registry::publish_managed(FatbinRecord& record, const exec::Program* program) {
  for (const auto& variable : record.variables) {
    if (!variable->managed) continue;
    void* address = nullptr;
    if (const auto* global = program ? program->variable(variable->name) : nullptr) {
      address = reinterpret_cast<void*>(global->address);
    } else {
      auto& space = memory::AddressSpace::instance();
      auto& memory = space.allocate(variable->size, memory::Kind::Managed, 0, 512, variable->name);
      std::memset(memory.bytes, 0, variable->size);
      address = memory.bytes;
    }
    variable->published = address;
    std::memcpy(const_cast<void*>(variable->host), &address, sizeof address);
  }
}

exec::Program* Registry::program(FatbinRecord& record, int device) {
  if (const auto it = record.programs.find(device); it != record.programs.end())
    return it->second.get();
  if (!record.loaded) {
    load(record, profile(device).sm());
    if (record.failure != cudaSuccess) publish_managed(record, nullptr);
  }
  if (record.failure != cudaSuccess) return nullptr;
  try {
    auto program = std::make_unique<exec::Program>(record.modules, device, record.managed_owner);
    if (!record.managed_owner && record.has_managed()) {
      publish_managed(record, program.get());
      record.managed_owner = program.get();
    }
    return (record.programs[device] = std::move(program)).get();
  } catch (const exec::LinkError& e) {
    say(std::string("the program cannot be linked: ") + e.what());
    record.failure = cudaErrorInvalidPtx;
  } catch (const exec::KernelError& e) {
    say_report(e.report);
    record.failure = cudaErrorNotSupported;
  }
  publish_managed(record, nullptr);
  return nullptr;
}

void Registry::reset(int device) {
  ++generation_;
  for (const auto& record : fatbins_) {
    if (!record->programs.contains(device)) continue;
    if (!record->has_managed()) {
      record->programs.erase(device);
      continue;
    }
    // The programs share their managed variables, so they go together. The host asks for its
    // pointers to them only once: they must be good again at once.
    while (!record->programs.empty()) {
      const auto borrower =
          std::find_if(record->programs.begin(), record->programs.end(),
                       [&](const auto& p) { return p.second.get() != record->managed_owner; });
      record->programs.erase(borrower != record->programs.end() ? borrower
                                                                : record->programs.begin());
    }
    record->managed_owner = nullptr;
    program(*record, device);
  }
}

KernelOnDevice find_kernel(const void* handle, int device) {
  KernelOnDevice found;
  if (!handle) return found;
  auto& registry = Registry::instance();
  KernelRecord* record = registry.kernel(handle);
  if (!record) {
    found.error = cudaErrorInvalidResourceHandle;
    return found;
  }
  const exec::Program* program = registry.program(*record->owner, device);
  if (!program) {
    found.error = record->owner->failure;
    return found;
  }
  found.kernel = program->kernel(record->name);
  if (!found.kernel) {
    say("the PTX holds no kernel " + record->name + ", although the host code launches one");
    return found;
  }
  found.settings = &record->settings[device];
  found.error = cudaSuccess;
  found.generation = registry.generation();
  return found;
}

const exec::GlobalVariable* find_symbol(const void* host_variable, int device, cudaError_t* why) {
  auto& registry = Registry::instance();
  cudaError_t error = cudaErrorInvalidSymbol;
  const exec::GlobalVariable* found = nullptr;
  if (VariableRecord* record = registry.variable(host_variable)) {
    const exec::Program* program = registry.program(*record->owner, device);
    if (!program) error = record->owner->failure;
    found = program ? program->variable(record->name) : nullptr;
  }
  if (why) *why = found ? cudaSuccess : error;
  return found;
}

}  // namespace emu::cudart
