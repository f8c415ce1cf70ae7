// SPDX-License-Identifier: MIT
// Runs a kernel: what a launch asks for, and what it gives back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "explore/schedule.hpp"
#include "machine/grid.hpp"
#include "machine/tracer.hpp"
#include "program/program.hpp"

namespace emu::exec {

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
  bool several_devices = false;  // reports say on which one it was
  const devices::Profile* profile = nullptr;
  std::uint32_t resident_blocks =
      1;  // how many blocks the modelled GPU holds at once, whole device
  std::uint64_t instruction_limit = 0;  // warp instructions; 0: kDefaultInstructionLimit
  std::uint64_t heap_limit = 8 << 20;   // bytes for malloc in kernels (cudaLimitMallocHeapSize)
  observe::Observer* observer = nullptr;
  std::optional<Schedule> schedule;         // none: blocks, warps and splits in their order
  std::function<void(const Turns&)> turns;  // with a schedule: gets who went when, at the end
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
