// SPDX-License-Identifier: MIT
// From a checked launch to the engine.
#include "cudart/launching/launch.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
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
#include "cudart/launching/failure.hpp"
#include "cudart/launching/kernel_under_way.hpp"
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

void tell_progress(const exec::Kernel& kernel, const exec::Progress& p) {
  say(kernel.pretty + " is still running: " + std::to_string(p.warp_instructions / 1'000'000) +
      " million warp instructions, " + std::to_string(p.finished_blocks) + " of " +
      std::to_string(p.blocks) + " blocks finished");
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
  request.several_devices = device_count() > 1;
  request.profile = &profile(launch.device);
  const std::uint64_t cluster = request.cluster.count();
  request.resident_blocks =
      static_cast<std::uint32_t>(std::max(resident_blocks(launch, kernel), cluster));
  request.heap_limit = device_state(launch.device).limits.malloc_heap;
  request.observer = launch_observer(launch.device);
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

namespace {

// What the engine is asked for; nothing, and an error, where it cannot be.
std::optional<exec::LaunchRequest> request_now(const KernelLaunch& launch, cudaError_t& error) {
  // A graph may come to a launch that was prepared before cudaDeviceReset.
  const KernelOnDevice found =
      launch.kernel.current() ? launch.kernel : find_kernel(launch.handle, launch.device);
  error = found ? cudaSuccess : found.error;
  if (!found) return std::nullopt;
  exec::LaunchRequest request = request_for(launch, *found.kernel);
  error = apply_settings(request);
  if (error) return std::nullopt;
  return request;
}

}  // namespace

cudaError_t run(const KernelLaunch& launch) {
  if (several_devices()) return run_beside_others(kernel_operation(launch), launch.device);
  cudaError_t error = cudaSuccess;
  const auto request = request_now(launch, error);
  if (!request) return error;
  try {
    const exec::LaunchStats stats = exec::launch(*request);
    advance_clock_by_kernel(stats.warp_instructions, modelled_ns(), launch.device);
    return cudaSuccess;
  } catch (const exec::KernelError& e) {
    return tell(e, launch.device);
  }
}

std::unique_ptr<UnderWay> begin(const KernelLaunch& launch, cudaError_t& error) {
  if (fails_now(launch.device)) return nullptr;
  auto request = request_now(launch, error);
  if (!request) return nullptr;
  try {
    return begin_kernel(std::move(*request));
  } catch (const exec::KernelError& e) {
    error = tell(e, launch.device);
    return nullptr;
  }
}

Operation kernel_operation(KernelLaunch launch) {
  auto kernel = std::make_shared<KernelLaunch>(std::move(launch));
  Operation op;
  op.kind = Operation::Kind::Kernel;
  op.run = [kernel] { return run(*kernel); };
  if (several_devices()) op.begin = [kernel](cudaError_t& error) { return begin(*kernel, error); };
  op.detail = kernel;
  return op;
}

std::shared_ptr<KernelLaunch> launch_of(const Operation& operation) {
  const auto* launch = std::any_cast<std::shared_ptr<KernelLaunch>>(&operation.detail);
  return launch ? *launch : nullptr;
}

}  // namespace emu::cudart
