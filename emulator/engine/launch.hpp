// SPDX-License-Identifier: MIT
// What the runtime front needs of the engine: link PTX modules into a program for a device, ask
// about its kernels, run one.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "explore/schedule.hpp"
#include "machine/grid.hpp"
#include "machine/tracer.hpp"

namespace emu::exec {

// A __device__ or __constant__ variable with its place in this device's memory.
struct GlobalVariable {
  memory::Address address = 0;
  std::size_t size = 0;
  bool managed = false;
  bool constant = false;
};

struct Kernel {
  const Program* program = nullptr;
  const ptx::Function* function = nullptr;
  const ptx::Module* module = nullptr;
  std::string name;    // mangled
  std::string pretty;  // demangled
  std::uint32_t param_bytes = 0;
  std::uint32_t reserved_shared =
      0;  // in front of it, for cooperative groups; only in kernels that ask for it
  std::uint32_t static_shared = 0;  // all .shared it or what it calls can reach
  std::uint32_t local_bytes = 0;    // of the kernel's own frame
  std::uint32_t constant_bytes = 0;
  std::uint32_t registers = 0;       // estimate: most live at once, at least 16, rounded up to 8
  std::uint32_t max_threads = 1024;  // from .maxntid/.reqntid, else 1024
  std::uint32_t ptx_version = 0;     // 90 for compute_90
};

// Why a program could not be linked (undefined or doubly defined symbol).
struct LinkError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// PTX modules linked for one device, its global variables allocated and initialised.
class Program {
 public:
  // `managed_from`: the same modules linked for another device, whose managed variables this one
  // uses too (it must live longer).
  Program(std::vector<std::shared_ptr<const ptx::Module>> modules, int device,
          const Program* managed_from = nullptr);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Kernel* kernel(std::string_view mangled) const;  // nullptr: no such entry
  const GlobalVariable* variable(std::string_view name) const;
  std::vector<std::string> kernel_names() const;
  struct Impl;
  Impl& impl() const { return *impl_; }

 private:
  void place_symbols(const Program* managed_from);
  void relocate_variables(const ptx::Module& module);
  void release_variables();

  std::unique_ptr<Impl> impl_;
};

// About a minute of emulation: what runs longer is taken for a run-away kernel unless the caller
// asks for more.
inline constexpr std::uint64_t kDefaultInstructionLimit = 5'000'000'000;
// Under a schedule from a seed lanes run one by one and kernels are small.
inline constexpr std::uint64_t kDefaultSeededLimit = 100'000'000;

// How far a long kernel has come.
struct Progress {
  std::uint64_t warp_instructions = 0, finished_blocks = 0, blocks = 0;
};
// Warp instructions between two reports: some ten seconds of emulation.
inline constexpr std::uint64_t kProgressInterval = 1'000'000'000;

struct LaunchRequest {
  const Kernel* kernel = nullptr;
  Dim3 grid, block, cluster{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
  bool cooperative = false;
  std::vector<std::byte> params;  // laid out as kernel->function->params say
  int device = 0;
  const devices::Profile* profile = nullptr;
  std::uint32_t resident_blocks =
      1;  // how many blocks the modelled GPU holds at once, whole device
  std::uint64_t instruction_limit = 0;  // warp instructions; 0: kDefaultInstructionLimit
  std::uint64_t heap_limit = 8 << 20;   // bytes for malloc in kernels (cudaLimitMallocHeapSize)
  observe::Observer* observer = nullptr;
  std::optional<Schedule> schedule;  // none: blocks, warps and splits in their order
  observe::Tracer* tracer = nullptr;
  bool weak_memory = false;  // loads may return older values; with a schedule only
  void (*progress)(const Kernel&, const Progress&) = nullptr;  // called every kProgressInterval
};

struct LaunchStats {
  std::uint64_t warp_instructions = 0;
};

// Runs the whole grid. Throws KernelError. The same request on the same memory gives the same bits.
LaunchStats launch(const LaunchRequest& request);

}  // namespace emu::exec
