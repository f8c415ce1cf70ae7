// SPDX-License-Identifier: MIT
// From a checked launch to the engine, and from the engine's failures to errors of the API.
#include "cudart/launching/launch.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cudart/calls/errors.hpp"
#include "cudart/devices/clock.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/environment/launch_settings.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/startup.hpp"
#include "cudart/launching/checks.hpp"
#include "engine/launch.hpp"
#include "machine/fault.hpp"

namespace emu::cudart {

namespace {

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
  note_error(error);
  const cudaError_t code = error_of(error.kind);
  if (error.kind == exec::FaultKind::UnknownInstruction) {
    // Nothing has run yet, so the device is unharmed and the launch itself fails.
    raise_refused(code);
    return code;
  }
  raise_sticky(code);
  return cudaSuccess;
}

exec::LaunchRequest request_for(const KernelLaunch& launch, const exec::Kernel& kernel) {
  exec::LaunchRequest request;
  request.kernel = &kernel;
  request.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  request.block = {launch.block.x, launch.block.y, launch.block.z};
  request.cluster = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
  request.dynamic_shared = static_cast<std::uint32_t>(launch.dynamic_shared);
  request.cooperative = launch.cooperative;
  request.params = launch.params;
  request.device = launch.device;
  request.profile = &profile(launch.device);
  const std::uint64_t cluster = request.cluster.count();
  request.resident_blocks =
      static_cast<std::uint32_t>(std::max(resident_blocks(launch, kernel), cluster));
  request.heap_limit = device_state(launch.device).limits.malloc_heap;
  request.observer = launch_observer();
  request.progress = &tell_progress;
  return request;
}

}  // namespace

cudaError_t prepare(KernelLaunch& launch, void** args) {
  launch.device = current_device();
  launch.kernel = find_kernel(launch.handle, launch.device);
  if (!launch.kernel) return launch.kernel.error;
  if (cudaError_t e = check_launch(launch)) return e;
  return copy_arguments(launch, *launch.kernel.kernel, args);
}

cudaError_t run(const KernelLaunch& launch) {
  // A graph may come to a launch that was prepared before cudaDeviceReset.
  const KernelOnDevice found =
      launch.kernel.current() ? launch.kernel : find_kernel(launch.handle, launch.device);
  if (!found) return found.error;
  exec::LaunchRequest request = request_for(launch, *found.kernel);
  if (cudaError_t e = apply_settings(request)) return e;
  try {
    const exec::LaunchStats stats = exec::launch(request);
    advance_clock_by_kernel(stats.warp_instructions, modelled_ns(), launch.device);
    return cudaSuccess;
  } catch (const exec::KernelError& e) {
    return tell(e);
  }
}

Operation kernel_operation(KernelLaunch launch) {
  auto kernel = std::make_shared<KernelLaunch>(std::move(launch));
  Operation op;
  op.kind = Operation::Kind::Kernel;
  op.run = [kernel] { return run(*kernel); };
  op.detail = kernel;
  return op;
}

std::shared_ptr<KernelLaunch> launch_of(const Operation& operation) {
  const auto* launch = std::any_cast<std::shared_ptr<KernelLaunch>>(&operation.detail);
  return launch ? *launch : nullptr;
}

}  // namespace emu::cudart
