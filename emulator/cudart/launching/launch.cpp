// SPDX-License-Identifier: MIT
// Launches: the checks the real runtime makes, and the call into the engine. Which error each bad
// launch gives was measured on an H200 with CUDA 13.0.
#include "engine/launch.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "cudart/calls/call.hpp"
#include "cudart/devices/clock.hpp"
#include "cudart/environment/launch_settings.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/environment/settings.hpp"
#include "cudart/launching/occupancy.hpp"
#include "cudart/loading/module.hpp"
#include "machine/fault.hpp"
#include "machine/registry.hpp"

namespace emu::cudart {

namespace {

constexpr std::uint64_t kMostGridX = 0x7fffffff, kMostGridYZ = 65535;
constexpr std::uint32_t kMostBlockXY = 1024, kMostBlockZ = 64;

std::uint64_t count(const dim3& d) { return std::uint64_t{d.x} * d.y * d.z; }

bool has_zero(const dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

std::string text(const dim3& d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

// The error code alone says little: one line tells what was wrong with the launch.
cudaError_t refuse(const exec::Kernel& kernel, cudaError_t error, const std::string& why) {
  say("the launch of " + kernel.pretty + " is refused: " + why);
  return error;
}

cudaError_t check_shape(const KernelLaunch& launch, const exec::Kernel& kernel) {
  const dim3 &g = launch.grid, &b = launch.block;
  if (has_zero(g) || g.x > kMostGridX || g.y > kMostGridYZ || g.z > kMostGridYZ) {
    return refuse(
        kernel, cudaErrorInvalidValue,
        "a grid of " + text(g) +
            " blocks; each number must be at least 1, x at most 2147483647, y and z at most 65535");
  }
  if (has_zero(b) || b.x > kMostBlockXY || b.y > kMostBlockXY || b.z > kMostBlockZ ||
      count(b) > kMostBlockXY) {
    return refuse(kernel, cudaErrorInvalidValue,
                  "a block of " + text(b) +
                      " threads; each number must be at least 1, z at most 64, and all together at "
                      "most 1024");
  }
  if (count(b) > kernel.max_threads) {
    return refuse(kernel, cudaErrorInvalidValue,
                  "a block of " + std::to_string(count(b)) +
                      " threads; the kernel was compiled for at most " +
                      std::to_string(kernel.max_threads) + " (__launch_bounds__)");
  }
  const auto& required = kernel.function->required_threads;
  if (required[0] && (b.x != required[0] || b.y != std::max(1u, required[1]) ||
                      b.z != std::max(1u, required[2]))) {
    return refuse(
        kernel, cudaErrorInvalidValue,
        "a block of " + text(b) + " threads; the kernel was compiled for " +
            text(dim3(required[0], std::max(1u, required[1]), std::max(1u, required[2]))));
  }
  return cudaSuccess;
}

// The cluster a kernel was compiled or set for; zeros where it leaves the size open.
dim3 required_cluster(const exec::Kernel& kernel, const KernelSettings& settings) {
  const auto& compiled = kernel.function->cluster;
  if (compiled[0]) return dim3(compiled[0], std::max(1u, compiled[1]), std::max(1u, compiled[2]));
  const auto& set = settings.required_cluster;
  return dim3(static_cast<unsigned>(set[0]), static_cast<unsigned>(set[1]),
              static_cast<unsigned>(set[2]));
}

cudaError_t check_cluster(KernelLaunch& launch, const exec::Kernel& kernel,
                          const KernelSettings& settings, const devices::Profile& gpu) {
  const dim3 required = required_cluster(kernel, settings);
  dim3& c = launch.cluster;
  if (has_zero(c)) return cudaErrorInvalidClusterSize;
  const bool given = count(c) > 1;
  if (!given && !has_zero(required)) c = required;
  const auto differs = [](unsigned want, unsigned is) { return want != 0 && want != is; };
  if (differs(required.x, c.x) || differs(required.y, c.y) || differs(required.z, c.z))
    return cudaErrorInvalidClusterSize;
  if (count(c) == 1) return cudaSuccess;
  if (gpu.max_cluster <= 1) {
    say("clusters need compute capability 9.0; the modelled GPU is sm_" + std::to_string(gpu.sm()));
    return cudaErrorInvalidClusterSize;
  }
  const std::uint32_t most =
      settings.nonportable_cluster ? gpu.max_cluster_nonportable : gpu.max_cluster;
  const std::uint32_t compiled_most = kernel.function->max_cluster_rank;
  if (count(c) > most || (compiled_most && count(c) > compiled_most))
    return cudaErrorInvalidClusterSize;
  if (launch.grid.x % c.x || launch.grid.y % c.y || launch.grid.z % c.z)
    return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

// Blocks of this launch that the whole GPU holds at once.
std::uint64_t resident(const KernelLaunch& launch, const exec::Kernel& kernel, int device) {
  const std::uint64_t blocks = occupancy(
      kernel, device, static_cast<std::uint32_t>(count(launch.block)), launch.dynamic_shared);
  const std::uint64_t cluster = count(launch.cluster);
  return devices::resident_clusters(profile(device), cluster, blocks) * cluster;
}

cudaError_t check_resources(const KernelLaunch& launch, const exec::Kernel& kernel,
                            const KernelSettings& settings, int device) {
  const cudaError_t too_much =
      launch.cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidValue;
  if (const std::size_t most = max_dynamic_shared(kernel, settings, device);
      launch.dynamic_shared > most) {
    return refuse(
        kernel, too_much,
        std::to_string(launch.dynamic_shared) + " bytes of dynamic shared memory; it may have " +
            std::to_string(most) +
            " (cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize raises that)");
  }
  const std::uint64_t fit = resident(launch, kernel, device);
  if (launch.cooperative && count(launch.grid) > fit) {
    return refuse(kernel, cudaErrorCooperativeLaunchTooLarge,
                  "a cooperative grid of " + std::to_string(count(launch.grid)) +
                      " blocks; the modelled GPU holds " + std::to_string(fit) +
                      " of them at once");
  }
  if (fit == 0)
    return refuse(kernel, cudaErrorLaunchOutOfResources,
                  "no multiprocessor has room for one block");
  return cudaSuccess;
}

cudaError_t copy_arguments(KernelLaunch& launch, const exec::Kernel& kernel, void** args) {
  const auto& params = kernel.function->params;
  launch.params.assign(kernel.param_bytes, std::byte{0});
  if (params.empty()) return cudaSuccess;
  if (!args) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (!args[i]) return cudaErrorInvalidValue;
    std::memcpy(launch.params.data() + params[i].offset, args[i], params[i].size);
  }
  return cudaSuccess;
}

std::uint64_t instruction_limit() {
  static const std::uint64_t limit = [] {
    const auto text = settings().value("WARPLADDER_INSTRUCTION_LIMIT");
    if (!text) return std::uint64_t{0};
    const std::string_view view(*text);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
    if (error != std::errc{} || end != view.data() + view.size()) {
      say("WARPLADDER_INSTRUCTION_LIMIT=" + std::string(view) +
          " is ignored: it must be a number of warp instructions (0: the default)");
      return std::uint64_t{0};
    }
    return value;
  }();
  return limit;
}

cudaError_t error_of(exec::FaultKind kind) {
  using enum exec::FaultKind;
  switch (kind) {
    case OutOfBounds:
    case FreedMemory:
    case HostMemory:
      return cudaErrorIllegalAddress;
    case InvalidSpace:
      return cudaErrorInvalidAddressSpace;
    case Misaligned:
      return cudaErrorMisalignedAddress;
    case Assert:
      return cudaErrorAssert;
    case Deadlock:
    case Livelock:
    case InstructionLimit:
      return cudaErrorLaunchTimeout;
    case UnknownInstruction:
      return cudaErrorNotSupported;
    case DivergentBarrier:
    case LaneNotInMask:
    case Trap:
    case StackOverflow:
    case BadOperand:
      return cudaErrorLaunchFailure;
  }
  return cudaErrorLaunchFailure;
}

void tell_progress(const exec::Kernel& kernel, const exec::Progress& p) {
  say(kernel.pretty + " is still running: " + std::to_string(p.warp_instructions / 1'000'000) +
      " million warp instructions, " + std::to_string(p.finished_blocks) + " of " +
      std::to_string(p.blocks) + " blocks finished");
}

cudaError_t tell(const exec::KernelError& error) {
  say_report(error.report);
  const cudaError_t code = error_of(error.kind);
  // Nothing has run yet, so the device is unharmed and the launch itself fails.
  if (error.kind == exec::FaultKind::UnknownInstruction) return code;
  raise_sticky(code);
  return cudaSuccess;
}

}  // namespace

std::uint32_t occupancy(const exec::Kernel& kernel, int device, std::uint32_t threads,
                        std::size_t dynamic_shared) {
  const devices::Profile& gpu = profile(device);
  return blocks_per_sm(gpu, {threads, plausible_registers(gpu, kernel.registers, threads),
                             kernel.static_shared + dynamic_shared});
}

std::size_t max_dynamic_shared(const exec::Kernel& kernel, const KernelSettings& settings,
                               int device) {
  if (settings.max_dynamic_shared >= 0)
    return static_cast<std::size_t>(settings.max_dynamic_shared);
  const std::size_t all = profile(device).shared_per_block;
  return all > kernel.static_shared ? all - kernel.static_shared : 0;
}

void say_report(std::string_view report) {
  constexpr std::string_view kPrefix = "warp-ladder emulator: ";  // say() adds it
  if (report.starts_with(kPrefix)) report.remove_prefix(kPrefix.size());
  while (report.ends_with('\n')) report.remove_suffix(1);
  say(std::string(report));
}

cudaError_t prepare(KernelLaunch& launch, void** args) {
  const int device = current_device();
  cudaError_t error = cudaSuccess;
  const exec::Kernel* kernel = find_kernel(launch.handle, device, error);
  if (!kernel) return error;
  const KernelSettings& settings = *kernel_settings(launch.handle, device);
  if ((error = check_shape(launch, *kernel))) return error;
  if ((error = check_cluster(launch, *kernel, settings, profile(device)))) return error;
  if ((error = check_resources(launch, *kernel, settings, device))) return error;
  return copy_arguments(launch, *kernel, args);
}

cudaError_t run(const KernelLaunch& launch, int device) {
  cudaError_t error = cudaSuccess;
  const exec::Kernel* kernel = find_kernel(launch.handle, device, error);
  if (!kernel) return error;
  exec::LaunchRequest request;
  request.kernel = kernel;
  request.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  request.block = {launch.block.x, launch.block.y, launch.block.z};
  request.cluster = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
  request.dynamic_shared = static_cast<std::uint32_t>(launch.dynamic_shared);
  request.cooperative = launch.cooperative;
  request.params = launch.params;
  request.device = device;
  request.profile = &profile(device);
  const std::uint64_t at_once = std::max(resident(launch, *kernel, device), count(launch.cluster));
  request.resident_blocks = static_cast<std::uint32_t>(at_once);
  request.instruction_limit = instruction_limit();
  request.heap_limit = limits(device).malloc_heap;
  request.observer = observe::launch_observer();
  request.progress = &tell_progress;
  if ((error = schedule_launch(request))) return error;
  try {
    const exec::LaunchStats stats = exec::launch(request);
    advance_clock_by_kernel(stats.warp_instructions, modelled_ns(), device);
    return cudaSuccess;
  } catch (const exec::KernelError& e) {
    return tell(e);
  }
}

}  // namespace emu::cudart
