// SPDX-License-Identifier: MIT
// Shape, cluster, resources: in the order the runtime looks at them.
#include "cudart/launching/checks.hpp"

#include <algorithm>
#include <string>

#include "cudart/environment/say.hpp"
#include "cudart/environment/startup.hpp"
#include "cudart/launching/limits.hpp"

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

cudaError_t check_resources(const KernelLaunch& launch, const exec::Kernel& kernel,
                            const KernelSettings& settings) {
  const int device = launch.device;
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
  const std::uint64_t fit = resident_blocks(launch, kernel);
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

}  // namespace

cudaError_t check_launch(KernelLaunch& launch) {
  const exec::Kernel& kernel = *launch.kernel.kernel;
  const KernelSettings& settings = *launch.kernel.settings;
  if (cudaError_t e = check_shape(launch, kernel)) return e;
  if (cudaError_t e = check_cluster(launch, kernel, settings, profile(launch.device))) return e;
  return check_resources(launch, kernel, settings);
}

std::uint64_t resident_blocks(const KernelLaunch& launch, const exec::Kernel& kernel) {
  const std::uint64_t blocks =
      occupancy(kernel, launch.device, static_cast<std::uint32_t>(count(launch.block)),
                launch.dynamic_shared);
  const std::uint64_t cluster = count(launch.cluster);
  return devices::resident_clusters(profile(launch.device), cluster, blocks) * cluster;
}

}  // namespace emu::cudart
