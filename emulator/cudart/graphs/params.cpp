// SPDX-License-Identifier: MIT
// Parameters of graph nodes: from the API's structures to operations, and back.
#include "cudart/graphs/params.hpp"

#include <utility>

#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/launching/launch.hpp"
#include "cudart/memory/copy.hpp"
#include "cudart/streams/event.hpp"
#include "cudart/streams/host_functions.hpp"

namespace emu::cudart {

namespace {

std::shared_ptr<Node> find_node(cudaGraphNode_t handle, cudaGraphNodeType type) {
  auto node = NodeTable::instance().find(handle);
  return node && node->type == type ? node : nullptr;
}

template <class T>
cudaError_t give_detail(cudaGraphNode_t handle, cudaGraphNodeType type, T* out) {
  auto node = find_node(handle, type);
  const T* detail = node ? std::any_cast<T>(&node->operation.detail) : nullptr;
  if (!detail || !out) return cudaErrorInvalidValue;
  *out = *detail;
  return cudaSuccess;
}

}  // namespace

cudaError_t kernel_from(const cudaKernelNodeParams& params, Operation& out) {
  if (params.extra) {
    say("kernel nodes with arguments in the \"extra\" form are not supported; use kernelParams");
    return cudaErrorNotSupported;
  }
  KernelLaunch launch;
  launch.handle = params.func;
  launch.grid = params.gridDim;
  launch.block = params.blockDim;
  launch.dynamic_shared = params.sharedMemBytes;
  if (cudaError_t e = prepare(launch, params.kernelParams)) return e;
  out = kernel_operation(std::move(launch));
  return cudaSuccess;
}

cudaError_t copy_from(const cudaMemcpy3DParms& params, Operation& out) {
  Copy copy{params, "graph memcpy node", current_device()};
  if (cudaError_t e = check(copy)) return e;
  out = copy_operation(std::move(copy));
  return cudaSuccess;
}

cudaError_t fill_from(const cudaMemsetParams& params, Operation& out) {
  Fill fill{params, 1, 0, "graph memset node", current_device()};
  if (cudaError_t e = check(fill)) return e;
  out = fill_operation(std::move(fill));
  return cudaSuccess;
}

cudaError_t host_from(const cudaHostNodeParams& params, Operation& out) {
  if (!params.fn) return cudaErrorInvalidValue;
  out = host_operation(params);
  return cudaSuccess;
}

cudaError_t record_from(cudaEvent_t event, Operation& out) {
  if (!find_event(event)) return cudaErrorInvalidResourceHandle;
  out = record_operation(event);
  return cudaSuccess;
}

cudaError_t wait_from(cudaEvent_t event, Operation& out) {
  if (!find_event(event)) return cudaErrorInvalidResourceHandle;
  out = wait_operation(event);
  return cudaSuccess;
}

cudaError_t copy_to_symbol_from(const void* symbol, const void* src, std::size_t count,
                                std::size_t offset, cudaMemcpyKind kind, Operation& out) {
  Copy copy;
  if (cudaError_t e = symbol_copy(symbol, const_cast<void*>(src), count, offset, kind, true,
                                  "graph memcpy node", copy))
    return e;
  if (cudaError_t e = check(copy)) return e;
  out = copy_operation(std::move(copy));
  return cudaSuccess;
}

cudaError_t copy_from_symbol_from(void* dst, const void* symbol, std::size_t count,
                                  std::size_t offset, cudaMemcpyKind kind, Operation& out) {
  Copy copy;
  if (cudaError_t e =
          symbol_copy(symbol, dst, count, offset, kind, false, "graph memcpy node", copy))
    return e;
  if (cudaError_t e = check(copy)) return e;
  out = copy_operation(std::move(copy));
  return cudaSuccess;
}

cudaError_t operation_from(cudaGraphNodeParams& params, Operation& out,
                           std::shared_ptr<Graph>& child) {
  switch (params.type) {
    case cudaGraphNodeTypeKernel: {
      const auto& k = params.kernel;
      return kernel_from({k.func, k.gridDim, k.blockDim, k.sharedMemBytes, k.kernelParams, k.extra},
                         out);
    }
    case cudaGraphNodeTypeMemcpy:
      return copy_from(params.memcpy.copyParams, out);
    case cudaGraphNodeTypeMemset: {
      const auto& m = params.memset;
      return fill_from({m.dst, m.pitch, m.value, m.elementSize, m.width, m.height}, out);
    }
    case cudaGraphNodeTypeHost:
      return host_from({params.host.fn, params.host.userData}, out);
    case cudaGraphNodeTypeEmpty:
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return wait_from(params.eventWait.event, out);
    case cudaGraphNodeTypeEventRecord:
      return record_from(params.eventRecord.event, out);
    case cudaGraphNodeTypeGraph: {
      auto graph = GraphTable::instance().find(params.graph.graph);
      if (!graph) return cudaErrorInvalidValue;
      child = copy_graph(*graph, true);
      return cudaSuccess;
    }
    default:
      say(std::string(current_call()) + ": " + node_type_name(params.type) +
          " nodes are not supported");
      return cudaErrorNotSupported;
  }
}

cudaError_t replace_operation(Node* node, cudaGraphNodeType type, Operation operation) {
  if (!node || node->type != type) return cudaErrorInvalidValue;
  const auto now = launch_of(operation), before = launch_of(node->operation);
  if (now && before) {
    // Launch attributes belong to the node, not to the parameters that are replaced.
    now->cluster = before->cluster;
    now->cooperative = before->cooperative;
  }
  node->operation = std::move(operation);
  return cudaSuccess;
}

}  // namespace emu::cudart

using namespace emu::cudart;

EMU_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle,
                                                 cudaKernelNodeParams* out) {
  return call([&]() -> cudaError_t {
    auto node = find_node(handle, cudaGraphNodeTypeKernel);
    const auto prepared = node ? launch_of(node->operation) : nullptr;
    if (!prepared || !out) return cudaErrorInvalidValue;
    KernelLaunch& launch = *prepared;
    const auto found = find_kernel(launch.handle, launch.device);
    node->argument_list.clear();
    if (found)
      for (const auto& param : found.kernel->function->params)
        if (param.offset + param.size <= launch.params.size())
          node->argument_list.push_back(launch.params.data() + param.offset);
    *out = {};
    out->func = const_cast<void*>(launch.handle);
    out->gridDim = launch.grid;
    out->blockDim = launch.block;
    out->sharedMemBytes = static_cast<unsigned>(launch.dynamic_shared);
    out->kernelParams = node->argument_list.data();
    return cudaSuccess;
  });
}

// A Set call: makes the operation, then puts it into the node.
#define EMU_SET_PARAMS(name, type, make, Params)                        \
  EMU_API cudaError_t name(cudaGraphNode_t handle, Params params) {     \
    return call([&]() -> cudaError_t {                                  \
      auto node = find_node(handle, type);                              \
      if (!node) return cudaErrorInvalidValue;                          \
      Operation operation;                                              \
      if (cudaError_t e = make) return e;                               \
      return replace_operation(node.get(), type, std::move(operation)); \
    });                                                                 \
  }

EMU_SET_PARAMS(cudaGraphKernelNodeSetParams, cudaGraphNodeTypeKernel,
               params ? kernel_from(*params, operation) : cudaErrorInvalidValue,
               const cudaKernelNodeParams*)
EMU_SET_PARAMS(cudaGraphMemcpyNodeSetParams, cudaGraphNodeTypeMemcpy,
               params ? copy_from(*params, operation) : cudaErrorInvalidValue,
               const cudaMemcpy3DParms*)
EMU_SET_PARAMS(cudaGraphMemsetNodeSetParams, cudaGraphNodeTypeMemset,
               params ? fill_from(*params, operation) : cudaErrorInvalidValue,
               const cudaMemsetParams*)
EMU_SET_PARAMS(cudaGraphHostNodeSetParams, cudaGraphNodeTypeHost,
               params ? host_from(*params, operation) : cudaErrorInvalidValue,
               const cudaHostNodeParams*)
EMU_SET_PARAMS(cudaGraphEventRecordNodeSetEvent, cudaGraphNodeTypeEventRecord,
               record_from(params, operation), cudaEvent_t)
EMU_SET_PARAMS(cudaGraphEventWaitNodeSetEvent, cudaGraphNodeTypeWaitEvent,
               wait_from(params, operation), cudaEvent_t)

EMU_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst, const void* src,
                                                   size_t count, cudaMemcpyKind kind) {
  auto copy = flat_copy(dst, src, count, kind, "cudaGraphMemcpyNodeSetParams1D");
  return cudaGraphMemcpyNodeSetParams(node, &copy.params);
}

EMU_API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t handle, const void* symbol,
                                                         const void* src, size_t count,
                                                         size_t offset, cudaMemcpyKind kind) {
  return call([&]() -> cudaError_t {
    Operation op;
    if (cudaError_t e = copy_to_symbol_from(symbol, src, count, offset, kind, op)) return e;
    auto node = NodeTable::instance().find(handle);
    return replace_operation(node.get(), cudaGraphNodeTypeMemcpy, std::move(op));
  });
}

EMU_API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t handle, void* dst,
                                                           const void* symbol, size_t count,
                                                           size_t offset, cudaMemcpyKind kind) {
  return call([&]() -> cudaError_t {
    Operation op;
    if (cudaError_t e = copy_from_symbol_from(dst, symbol, count, offset, kind, op)) return e;
    auto node = NodeTable::instance().find(handle);
    return replace_operation(node.get(), cudaGraphNodeTypeMemcpy, std::move(op));
  });
}

EMU_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t handle, cudaGraphNodeParams* params) {
  return call([&]() -> cudaError_t {
    if (!params || params->type == cudaGraphNodeTypeGraph) return cudaErrorInvalidValue;
    Operation op;
    std::shared_ptr<Graph> child;
    if (cudaError_t e = operation_from(*params, op, child)) return e;
    auto node = NodeTable::instance().find(handle);
    return replace_operation(node.get(), params->type, std::move(op));
  });
}

EMU_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* out) {
  return call([&] { return give_detail(node, cudaGraphNodeTypeMemcpy, out); });
}

EMU_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* out) {
  return call([&] { return give_detail(node, cudaGraphNodeTypeMemset, out); });
}

EMU_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* out) {
  return call([&] { return give_detail(node, cudaGraphNodeTypeHost, out); });
}

EMU_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
  return call([&] { return give_detail(node, cudaGraphNodeTypeEventRecord, out); });
}

EMU_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
  return call([&] { return give_detail(node, cudaGraphNodeTypeWaitEvent, out); });
}

EMU_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                   cudaMemAllocNodeParams* out) {
  return call([&] { return give_detail(node, cudaGraphNodeTypeMemAlloc, out); });
}

EMU_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* out) {
  return call(
      [&] { return give_detail(node, cudaGraphNodeTypeMemFree, static_cast<void**>(out)); });
}

EMU_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* out) {
  return call([&]() -> cudaError_t {
    auto node = find_node(handle, cudaGraphNodeTypeGraph);
    if (!node || !out) return cudaErrorInvalidValue;
    *out = node->child->handle;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle,
                                                    cudaLaunchAttributeID id,
                                                    const cudaLaunchAttributeValue* value) {
  return call([&]() -> cudaError_t {
    auto node = find_node(handle, cudaGraphNodeTypeKernel);
    const auto before = node ? launch_of(node->operation) : nullptr;
    if (!before || !value) return cudaErrorInvalidValue;
    KernelLaunch launch = *before;
    if (id == cudaLaunchAttributeClusterDimension)
      launch.cluster = dim3(value->clusterDim.x, value->clusterDim.y, value->clusterDim.z);
    if (id == cudaLaunchAttributeCooperative) launch.cooperative = value->cooperative != 0;
    node->attributes[id] = *value;
    // A new operation, because executable graphs made earlier share the old one.
    node->operation = kernel_operation(std::move(launch));
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle,
                                                    cudaLaunchAttributeID id,
                                                    cudaLaunchAttributeValue* value) {
  return call([&]() -> cudaError_t {
    auto node = find_node(handle, cudaGraphNodeTypeKernel);
    const auto launch = node ? launch_of(node->operation) : nullptr;
    if (!launch || !value) return cudaErrorInvalidValue;
    *value = cudaLaunchAttributeValue{};
    auto it = node->attributes.find(id);
    if (it != node->attributes.end()) *value = it->second;
    if (id == cudaLaunchAttributeClusterDimension)
      value->clusterDim.x = launch->cluster.x, value->clusterDim.y = launch->cluster.y,
      value->clusterDim.z = launch->cluster.z;
    if (id == cudaLaunchAttributeCooperative) value->cooperative = launch->cooperative;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src) {
  return call([&]() -> cudaError_t {
    auto to = find_node(dst, cudaGraphNodeTypeKernel),
         from = find_node(src, cudaGraphNodeTypeKernel);
    if (!to || !from) return cudaErrorInvalidValue;
    const auto before = launch_of(to->operation), model = launch_of(from->operation);
    if (!before || !model) return cudaErrorInvalidValue;
    to->attributes = from->attributes;
    KernelLaunch launch = *before;
    launch.cluster = model->cluster;
    launch.cooperative = model->cooperative;
    to->operation = kernel_operation(std::move(launch));
    return cudaSuccess;
  });
}
