// SPDX-License-Identifier: MIT
// Nodes that allocate and free.
#include "cudart/calls/call.hpp"
#include "cudart/graphs/graph.hpp"
#include "cudart/memory/async.hpp"
#include "cudart/memory/memory.hpp"

using namespace emu::cudart;
using emu::memory::AddressSpace;

EMU_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t handle,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             cudaMemAllocNodeParams* params) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph || !params || params->poolProps.location.type != cudaMemLocationTypeDevice)
      return cudaErrorInvalidValue;
    int device = params->poolProps.location.id;
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    if (cudaError_t e = allocate_from(&params->dptr, params->bytesize, *default_pool(device)))
      return e;
    return add_node(*graph, dependencies, nullptr, count, cudaGraphNodeTypeMemAlloc,
                    allocation_operation(*params), nullptr, out);
  });
}

EMU_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t handle,
                                            const cudaGraphNode_t* dependencies, size_t count,
                                            void* pointer) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph || !AddressSpace::instance().find_start(address_of(pointer)))
      return cudaErrorInvalidValue;
    return add_node(*graph, dependencies, nullptr, count, cudaGraphNodeTypeMemFree,
                    free_operation(pointer), nullptr, out);
  });
}

// Graphs keep no memory that nobody uses, so there is nothing to give back.
EMU_API cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call([&] { return valid_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}
