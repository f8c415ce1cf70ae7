// SPDX-License-Identifier: MIT
// The launch calls of the API: <<<>>>, cudaLaunchKernel and its relatives.
#include <utility>

#include "cudart/calls/call.hpp"
#include "cudart/launching/launch.hpp"
#include "cudart/streams/submit.hpp"

using namespace emu::cudart;

namespace {

cudaError_t launch_on(cudaStream_t stream, KernelLaunch launch, void** args) {
  if (cudaError_t bad = prepare(launch, args)) return bad;
  return submit(stream, kernel_operation(std::move(launch)));
}

cudaError_t launch_plain(const void* handle, dim3 grid, dim3 block, void** args, size_t shared,
                         cudaStream_t stream, bool cooperative) {
  return call(
      [&] {
        KernelLaunch launch;
        launch.handle = handle;
        launch.grid = grid;
        launch.block = block;
        launch.dynamic_shared = shared;
        launch.cooperative = cooperative;
        return launch_on(stream, std::move(launch), args);
      },
      "a kernel launch");
}

// Events to record behind the launch.
struct LaunchEvents {
  cudaEvent_t programmatic = nullptr, completion = nullptr;
};

cudaError_t read_attribute(const cudaLaunchAttribute& a, KernelLaunch& launch,
                           LaunchEvents& events) {
  switch (a.id) {
    case cudaLaunchAttributeCooperative:
      launch.cooperative = a.val.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
      launch.cluster = dim3(a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z);
      return cudaSuccess;
    case cudaLaunchAttributeProgrammaticEvent:
      events.programmatic = a.val.programmaticEvent.event;
      return events.programmatic ? cudaSuccess : cudaErrorInvalidResourceHandle;
    case cudaLaunchAttributeLaunchCompletionEvent:
      events.completion = a.val.launchCompletionEvent.event;
      return events.completion ? cudaSuccess : cudaErrorInvalidResourceHandle;
    // Hints, and permissions to overlap with earlier work: doing the work in order obeys them all.
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredClusterDimension:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
      return cudaSuccess;
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      return cudaErrorNotSupported;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t launch_config(const cudaLaunchConfig_t* config, cudaStream_t stream, const void* handle,
                          void** args) {
  return call(
      [&] {
        if (!config || (config->numAttrs && !config->attrs)) return cudaErrorInvalidValue;
        KernelLaunch launch;
        LaunchEvents events;
        launch.handle = handle;
        launch.grid = config->gridDim;
        launch.block = config->blockDim;
        launch.dynamic_shared = config->dynamicSmemBytes;
        for (unsigned i = 0; i < config->numAttrs; ++i) {
          if (cudaError_t bad = read_attribute(config->attrs[i], launch, events)) return bad;
        }
        if (cudaError_t bad = launch_on(stream, std::move(launch), args)) return bad;
        for (cudaEvent_t event : {events.programmatic, events.completion}) {
          if (!event) continue;
          if (cudaError_t bad = cudaEventRecord(event, stream)) return bad;
        }
        return cudaSuccess;
      },
      "a kernel launch");
}

// Under --default-stream per-thread "no stream" is the thread's own.
cudaStream_t per_thread(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

}  // namespace

EMU_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args,
                                       size_t shared, cudaStream_t stream) {
  return launch_plain(kernel, grid, block, args, shared, stream, false);
}

EMU_API cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** args,
                                            size_t shared, cudaStream_t stream) {
  return launch_plain(kernel, grid, block, args, shared, per_thread(stream), false);
}

EMU_API cudaError_t cudaLaunchKernel(const void* func, dim3 grid, dim3 block, void** args,
                                     size_t shared, cudaStream_t stream) {
  return launch_plain(func, grid, block, args, shared, stream, false);
}

EMU_API cudaError_t cudaLaunchKernel_ptsz(const void* func, dim3 grid, dim3 block, void** args,
                                          size_t shared, cudaStream_t stream) {
  return launch_plain(func, grid, block, args, shared, per_thread(stream), false);
}

EMU_API cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 grid, dim3 block,
                                                void** args, size_t shared, cudaStream_t stream) {
  return launch_plain(func, grid, block, args, shared, stream, true);
}

EMU_API cudaError_t cudaLaunchCooperativeKernel_ptsz(const void* func, dim3 grid, dim3 block,
                                                     void** args, size_t shared,
                                                     cudaStream_t stream) {
  return launch_plain(func, grid, block, args, shared, per_thread(stream), true);
}

EMU_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func,
                                        void** args) {
  return launch_config(config, config ? config->stream : nullptr, func, args);
}

EMU_API cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* func,
                                             void** args) {
  return launch_config(config, per_thread(config ? config->stream : nullptr), func, args);
}
