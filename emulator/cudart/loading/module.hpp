// SPDX-License-Identifier: MIT
// What a program registered before main(): its fatbins with their kernels and variables.
// Registration only writes down; PTX is unpacked, parsed and linked when something of the fatbin is
// first used on a device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/launch.hpp"

namespace emu::cudart {

struct FatbinRecord;

// What cudaFuncSetAttribute and its like set, per kernel and device.
struct KernelSettings {
  int max_dynamic_shared = -1;  // -1: not set, 48 KiB less what is static
  int carveout = -1;
  int required_cluster[3] = {0, 0, 0};
  int cluster_policy = 0;
  bool nonportable_cluster = false;
};

// A kernel as the host knows it. Its address is the program's cudaKernel_t and cudaFunction_t.
struct KernelRecord {
  FatbinRecord* owner = nullptr;
  const void* host = nullptr;  // the stub nvcc made
  std::string name;            // mangled
  std::map<int, KernelSettings> settings;
};

struct VariableRecord {
  FatbinRecord* owner = nullptr;
  const void* host = nullptr;  // the shadow; of a managed variable: where the pointer to it is
  std::string name;
  std::size_t size = 0;
  bool managed = false;
  const void* published = nullptr;  // of a managed variable: its address, once the host has it
};

// One registered wrapper: everything in it is one program.
struct FatbinRecord {
  const void* wrapper = nullptr;
  std::vector<std::unique_ptr<KernelRecord>> kernels;
  std::vector<std::unique_ptr<VariableRecord>> variables;
  bool loaded = false;  // modules or failure are set
  std::vector<std::shared_ptr<const ptx::Module>> modules;
  std::map<int, std::unique_ptr<exec::Program>> programs;  // by device
  const exec::Program* managed_owner = nullptr;  // the one whose managed variables all others use
  cudaError_t failure = cudaSuccess;             // why it cannot be used; was told once

  bool has_managed() const;
};

class Registry {
 public:
  static Registry& instance();

  FatbinRecord* add(const void* wrapper);
  void remove(FatbinRecord* record);
  FatbinRecord* find_fatbin(const void* handle);
  void add_kernel(FatbinRecord& owner, const void* host, std::string name);
  void add_variable(FatbinRecord& owner, const void* host, std::string name, std::size_t size,
                    bool managed);

  // By the stub's address or by the record's own (cudaKernel_t); nullptr: nobody registered it.
  KernelRecord* kernel(const void* handle) const;
  VariableRecord* variable(const void* host) const;

  // Linked for a device, or nullptr and record.failure. Says once on stderr what is wrong.
  exec::Program* program(FatbinRecord& record, int device);
  // Changes whenever programs go away, and with them their kernels.
  std::uint64_t generation() const { return generation_; }
  // cudaDeviceReset: variables get their first values again at the next use.
  void reset(int device);

 private:
  Registry() = default;
  void load(FatbinRecord& record, std::uint32_t sm);
  void publish_managed(FatbinRecord& record, const exec::Program* program);

  std::uint64_t generation_ = 1;
  std::vector<std::unique_ptr<FatbinRecord>> fatbins_;
  std::vector<std::unique_ptr<exec::Program>> retired_;  // of fatbins that were removed
  std::map<const void*, KernelRecord*> kernels_;         // by stub and by record
  std::map<const void*, VariableRecord*> variables_;
};

// The kernel behind a host stub's address or a cudaKernel_t / cudaFunction_t, on a device, with its
// settings there.
struct KernelOnDevice {
  const exec::Kernel* kernel = nullptr;  // nullptr: `error` says why
  KernelSettings* settings = nullptr;
  cudaError_t error = cudaErrorInvalidDeviceFunction;
  std::uint64_t generation = 0;  // of the registry's programs

  explicit operator bool() const { return kernel != nullptr; }
  // Whether it is still what a new search would find.
  bool current() const { return kernel && generation == Registry::instance().generation(); }
};
// Loads the program on first use; if that fails, or the kernel is not in it, a line was printed.
KernelOnDevice find_kernel(const void* handle, int device);

// Address of a __device__/__constant__/__managed__ variable by the address of its host shadow.
// `why` gets the error the API returns when there is none.
const exec::GlobalVariable* find_symbol(const void* host_variable, int device,
                                        cudaError_t* why = nullptr);

}  // namespace emu::cudart
