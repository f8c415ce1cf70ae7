// SPDX-License-Identifier: MIT
// Questions about one kernel: its attributes, its name and parameters, its occupancy.
#include <algorithm>
#include <cstring>

#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/launching/limits.hpp"
#include "cudart/launching/occupancy.hpp"

using namespace emu;
using namespace emu::cudart;

namespace {

// A kernel, its settings and the device both are for.
struct Found : KernelOnDevice {
  int device = 0;
};

Found find(const void* handle, int device) { return {find_kernel(handle, device), device}; }

Found find(const void* handle) { return find(handle, current_device()); }

cudaFuncAttributes attributes_of(const Found& f) {
  const exec::Kernel& k = *f.kernel;
  const devices::Profile& gpu = profile(f.device);
  cudaFuncAttributes a;
  std::memset(&a, 0, sizeof a);
  a.sharedSizeBytes = k.static_shared;
  a.constSizeBytes = k.constant_bytes;
  a.localSizeBytes = k.local_bytes;
  a.maxThreadsPerBlock = static_cast<int>(std::min(k.max_threads, gpu.max_threads_per_block));
  a.numRegs = static_cast<int>(plausible_registers(gpu, k.registers, k.max_threads));
  a.ptxVersion = static_cast<int>(k.ptx_version);
  a.binaryVersion = static_cast<int>(gpu.sm());
  a.maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_shared(k, *f.settings, f.device));
  a.preferredShmemCarveout = f.settings->carveout;
  const auto& compiled = k.function->cluster;
  const auto& set = f.settings->required_cluster;
  const bool fixed = compiled[0] != 0;
  a.clusterDimMustBeSet = fixed || k.function->explicit_cluster;
  a.requiredClusterWidth = fixed ? static_cast<int>(compiled[0]) : set[0];
  a.requiredClusterHeight = fixed ? static_cast<int>(std::max(1u, compiled[1])) : set[1];
  a.requiredClusterDepth = fixed ? static_cast<int>(std::max(1u, compiled[2])) : set[2];
  a.clusterSchedulingPolicyPreference = f.settings->cluster_policy;
  a.nonPortableClusterSizeAllowed = f.settings->nonportable_cluster;
  return a;
}

cudaError_t set_attribute(const Found& f, cudaFuncAttribute attribute, int value) {
  KernelSettings& s = *f.settings;
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize: {
      const auto most = static_cast<std::int64_t>(profile(f.device).shared_per_block_optin) -
                        f.kernel->static_shared;
      if (value < 0 || value > most) return cudaErrorInvalidValue;
      s.max_dynamic_shared = value;
      return cudaSuccess;
    }
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      s.carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
      if (value < 0 || f.kernel->function->cluster[0]) return cudaErrorInvalidValue;
      s.required_cluster[attribute - cudaFuncAttributeRequiredClusterWidth] = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      s.nonportable_cluster = value != 0;
      return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      if (value < cudaClusterSchedulingPolicyDefault ||
          value > cudaClusterSchedulingPolicyLoadBalancing) {
        return cudaErrorInvalidValue;
      }
      s.cluster_policy = value;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;  // cudaFuncAttributeClusterDimMustBeSet can only be read
  }
}

// Blocks per SM as the API counts them: what may not be launched counts as 0.
std::uint32_t active_blocks(const Found& f, std::uint32_t threads, std::size_t dynamic_shared) {
  if (dynamic_shared > max_dynamic_shared(*f.kernel, *f.settings, f.device)) return 0;
  return occupancy(*f.kernel, f.device, threads, dynamic_shared);
}

cudaError_t max_active_blocks(int* blocks, const void* func, int threads, size_t shared,
                              unsigned flags) {
  return call([&] {
    if (!blocks) return cudaErrorInvalidValue;
    const Found f = find(func);
    if (!f) return f.error;
    if (threads <= 0 || flags > cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    *blocks = static_cast<int>(active_blocks(f, static_cast<std::uint32_t>(threads), shared));
    return cudaSuccess;
  });
}

// Blocks of the cluster a configuration asks for, 1 without one; 0: it cannot be.
std::uint64_t cluster_size(const Found& f, const cudaLaunchConfig_t& config) {
  dim3 c(1, 1, 1);
  if (f.kernel->function->cluster[0]) {
    const auto& compiled = f.kernel->function->cluster;
    c = dim3(compiled[0], std::max(1u, compiled[1]), std::max(1u, compiled[2]));
  }
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    const auto& dim = config.attrs[i].val.clusterDim;
    c = dim3(dim.x, dim.y, dim.z);
  }
  const devices::Profile& gpu = profile(f.device);
  const std::uint64_t size = std::uint64_t{c.x} * c.y * c.z;
  const std::uint32_t most =
      f.settings->nonportable_cluster ? gpu.max_cluster_nonportable : gpu.max_cluster;
  return size <= most ? size : 0;
}

// Body of the two cluster queries: the kernel is there, the block can run, the cluster can be.
template <class Body>
cudaError_t cluster_query(int* out, const void* func, const cudaLaunchConfig_t* config,
                          Body&& body) {
  return call([&] {
    if (!out || !config) return cudaErrorInvalidValue;
    const Found f = find(func);
    if (!f) return f.error;
    const std::uint64_t threads =
        std::uint64_t{config->blockDim.x} * config->blockDim.y * config->blockDim.z;
    if (threads == 0 || threads > profile(f.device).max_threads_per_block)
      return cudaErrorInvalidValue;
    const std::uint64_t size = cluster_size(f, *config);
    if (size == 0) return cudaErrorInvalidClusterSize;
    *out = body(f, active_blocks(f, static_cast<std::uint32_t>(threads), config->dynamicSmemBytes),
                size);
    return cudaSuccess;
  });
}

cudaError_t set_cache_config(const void* func, bool valid) {
  return call([&] {
    const Found f = find(func);
    if (!f) return f.error;
    return valid ? cudaSuccess : cudaErrorInvalidValue;  // a hint: the emulator has no L1 to size
  });
}

}  // namespace

EMU_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* func) {
  return call([&] {
    const Found f = find(func);
    if (!f) return f.error;
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = attributes_of(f);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attribute, int value) {
  return call([&] {
    const Found f = find(func);
    return f ? set_attribute(f, attribute, value) : f.error;
  });
}

EMU_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                                    cudaFuncAttribute attribute, int value,
                                                    int device) {
  return call([&] {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    const Found f = find(kernel, device);
    return f ? set_attribute(f, attribute, value) : f.error;
  });
}

EMU_API cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache config) {
  return set_cache_config(func,
                          config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual);
}

EMU_API cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig config) {
  return set_cache_config(
      func, config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte);
}

EMU_API cudaError_t cudaFuncGetName(const char** name, const void* func) {
  return call([&] {
    if (!name) return cudaErrorInvalidValue;
    if (!func) return cudaErrorInvalidDeviceFunction;
    KernelRecord* record = Registry::instance().kernel(func);
    if (!record) return cudaErrorInvalidResourceHandle;
    *name = record->name.c_str();
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaFuncGetParamInfo(const void* func, size_t index, size_t* offset,
                                         size_t* size) {
  return call([&] {
    const Found f = find(func);
    if (!f) return f.error;
    const auto& params = f.kernel->function->params;
    if (!offset || index >= params.size()) return cudaErrorInvalidValue;
    *offset = params[index].offset;
    if (size) *size = params[index].size;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return call([&] {
    if (!function) return cudaErrorInvalidValue;
    KernelRecord* record = Registry::instance().kernel(symbol);
    if (!record) return cudaErrorInvalidDeviceFunction;
    *function = reinterpret_cast<cudaFunction_t>(record);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* symbol) {
  return call([&] {
    if (!kernel) return cudaErrorInvalidValue;
    KernelRecord* record = Registry::instance().kernel(symbol);
    if (!record) return cudaErrorInvalidDeviceFunction;
    *kernel = reinterpret_cast<cudaKernel_t>(record);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* func,
                                                                  int threads, size_t shared) {
  return max_active_blocks(blocks, func, threads, shared, cudaOccupancyDefault);
}

EMU_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* func, int threads, size_t shared, unsigned int flags) {
  return max_active_blocks(blocks, func, threads, shared, flags);
}

EMU_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* func,
                                                              int blocks, int threads) {
  return call([&] {
    if (!bytes) return cudaErrorInvalidValue;
    const Found f = find(func);
    if (!f) return f.error;
    if (blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    const auto wanted = static_cast<std::uint32_t>(blocks);
    if (wanted > occupancy(*f.kernel, f.device, static_cast<std::uint32_t>(threads), 0))
      return cudaErrorInvalidValue;
    const std::size_t share = shared_share(profile(f.device), wanted);
    if (share < f.kernel->static_shared) return cudaErrorInvalidValue;
    *bytes = std::min<std::size_t>(share - f.kernel->static_shared,
                                   max_dynamic_shared(*f.kernel, *f.settings, f.device));
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* func,
                                                   const cudaLaunchConfig_t* config) {
  return cluster_query(
      clusters, func, config, [](const Found& f, std::uint32_t blocks, std::uint64_t size) {
        return static_cast<int>(devices::resident_clusters(profile(f.device), size, blocks));
      });
}

EMU_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* func,
                                                         const cudaLaunchConfig_t* config) {
  return cluster_query(size, func, config, [](const Found& f, std::uint32_t blocks, std::uint64_t) {
    const devices::Profile& gpu = profile(f.device);
    if (blocks == 0) return 0;
    return static_cast<int>(f.settings->nonportable_cluster ? gpu.max_cluster_nonportable
                                                            : gpu.max_cluster);
  });
}
