// SPDX-License-Identifier: MIT
// Executable graphs: instantiate, change, launch.
#include <algorithm>

#include "cudart/calls/call.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/graphs/capture.hpp"
#include "cudart/graphs/graph.hpp"
#include "cudart/graphs/params.hpp"
#include "cudart/memory/copy.hpp"
#include "cudart/streams/order.hpp"
#include "cudart/streams/submit.hpp"

using namespace emu::cudart;

namespace {

constexpr unsigned long long kKnownFlags = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                           cudaGraphInstantiateFlagUpload |
                                           cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(cudaGraphExec_t* out, cudaGraph_t handle, unsigned long long flags,
                        cudaGraphInstantiateResult& result) {
  result = cudaGraphInstantiateError;
  auto graph = GraphTable::instance().find(handle);
  if (!graph || !out) return cudaErrorInvalidValue;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
    say("graphs launched from the device are not supported");
    result = cudaGraphInstantiateNodeOperationNotSupported;
    return cudaErrorNotSupported;
  }
  if (flags & ~kKnownFlags) return cudaErrorInvalidValue;
  if (!graph->nodes.empty() && execution_order(*graph).empty()) {
    result = cudaGraphInstantiateInvalidStructure;
    return cudaErrorInvalidValue;
  }
  auto exec = std::make_shared<GraphExec>();
  exec->flags = flags;
  exec->graph = copy_graph(*graph, false);
  *out = ExecTable::instance().add(exec);
  result = cudaGraphInstantiateSuccess;
  return cudaSuccess;
}

cudaError_t launch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  auto exec = ExecTable::instance().find(handle);
  if (!exec) return cudaErrorInvalidValue;
  auto stream = find_stream(stream_handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (stream->capture) return capture_of(*stream).add_child(*stream, *exec->graph);
  Operation operation;
  operation.run = [exec, stream] {
    auto* const orders = race_orders();
    if (orders) orders->begin_graph(order_key(*stream));
    const cudaError_t error = execute(*exec->graph, exec->disabled);
    if (orders) orders->end_graph(order_key(*stream));
    return error;
  };
  return submit(stream_handle, std::move(operation));
}

// Whether `now` can take the place of `then`: same nodes in the same order, of the same types, with
// the same edges.
cudaGraphExecUpdateResult compare(const Graph& then, const Graph& now,
                                  cudaGraphExecUpdateResultInfo& info) {
  if (then.nodes.size() != now.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  auto index = [](const Graph& graph, const Node* wanted) {
    return std::find_if(graph.nodes.begin(), graph.nodes.end(),
                        [&](auto& n) { return n.get() == wanted; }) -
           graph.nodes.begin();
  };
  for (std::size_t i = 0; i < now.nodes.size(); ++i) {
    const Node &a = *then.nodes[i], &b = *now.nodes[i];
    info.errorNode = b.handle;
    if (a.type != b.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (a.dependencies.size() != b.dependencies.size())
      return cudaGraphExecUpdateErrorTopologyChanged;
    for (std::size_t d = 0; d < a.dependencies.size(); ++d)
      if (index(then, a.dependencies[d].from) != index(now, b.dependencies[d].from)) {
        info.errorFromNode = b.dependencies[d].from->handle;
        return cudaGraphExecUpdateErrorTopologyChanged;
      }
    if (a.child)
      if (auto inner = compare(*a.child, *b.child, info)) return inner;
  }
  info.errorNode = nullptr;
  return cudaGraphExecUpdateSuccess;
}

void take_operations(Graph& to, const Graph& from) {
  for (std::size_t i = 0; i < to.nodes.size(); ++i) {
    to.nodes[i]->operation = from.nodes[i]->operation;
    to.nodes[i]->attributes = from.nodes[i]->attributes;
    if (to.nodes[i]->child) take_operations(*to.nodes[i]->child, *from.nodes[i]->child);
  }
}

// Finds the exec's copy of a node, makes the operation, replaces.
template <class Make>
cudaError_t set_params(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraphNodeType type,
                       Make&& make) {
  return call([&]() -> cudaError_t {
    auto exec = ExecTable::instance().find(handle);
    Node* copy = exec ? exec->graph->find_copy_of(node) : nullptr;
    if (!copy || copy->type != type) return cudaErrorInvalidValue;
    Operation operation;
    if (cudaError_t e = make(operation)) return e;
    return replace_operation(copy, type, std::move(operation));
  });
}

}  // namespace

EMU_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                         unsigned long long flags) {
  cudaGraphInstantiateResult result;
  return call([&] { return instantiate(exec, graph, flags, result); });
}

EMU_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                  unsigned long long flags) {
  cudaGraphInstantiateResult result;
  return call([&] { return instantiate(exec, graph, flags, result); });
}

EMU_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                   cudaGraphInstantiateParams* params) {
  return call([&]() -> cudaError_t {
    if (!params) return cudaErrorInvalidValue;
    params->errNode_out = nullptr;
    return instantiate(exec, graph, params->flags, params->result_out);
  });
}

EMU_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return call([&]() -> cudaError_t {
    auto exec = ExecTable::instance().find(handle);
    if (!exec || !flags) return cudaErrorInvalidValue;
    *flags = exec->flags;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return call(
      [&] { return ExecTable::instance().remove(handle) ? cudaSuccess : cudaErrorInvalidValue; });
}

EMU_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return call([&] { return launch(exec, stream); });
}

EMU_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return call([&]() -> cudaError_t {
    if (!ExecTable::instance().find(exec)) return cudaErrorInvalidValue;
    return find_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

EMU_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                        cudaGraphExecUpdateResultInfo* result) {
  return call([&]() -> cudaError_t {
    auto exec = ExecTable::instance().find(handle);
    auto update = GraphTable::instance().find(graph);
    if (!exec || !update) return cudaErrorInvalidValue;
    cudaGraphExecUpdateResultInfo info{};
    info.result = compare(*exec->graph, *update, info);
    if (result) *result = info;
    if (info.result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    take_operations(*exec->graph, *update);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                            unsigned int enabled) {
  return call([&]() -> cudaError_t {
    auto exec = ExecTable::instance().find(handle);
    Node* copy = exec ? exec->graph->find_copy_of(node) : nullptr;
    if (!copy || copy->type > cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
    if (enabled)
      exec->disabled.erase(copy);
    else
      exec->disabled.insert(copy);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                            unsigned int* enabled) {
  return call([&]() -> cudaError_t {
    auto exec = ExecTable::instance().find(handle);
    Node* copy = exec ? exec->graph->find_copy_of(node) : nullptr;
    if (!copy || !enabled) return cudaErrorInvalidValue;
    *enabled = exec->disabled.count(copy) == 0;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const cudaKernelNodeParams* params) {
  return set_params(exec, node, cudaGraphNodeTypeKernel, [&](Operation& op) {
    return params ? kernel_from(*params, op) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const cudaMemcpy3DParms* params) {
  return set_params(exec, node, cudaGraphNodeTypeMemcpy, [&](Operation& op) {
    return params ? copy_from(*params, op) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* dst, const void* src, size_t bytes,
                                                       cudaMemcpyKind kind) {
  return set_params(exec, node, cudaGraphNodeTypeMemcpy, [&](Operation& op) {
    return copy_from(flat_copy(dst, src, bytes, kind, "cudaGraphExecMemcpyNodeSetParams1D").params,
                     op);
  });
}

EMU_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                             cudaGraphNode_t node,
                                                             const void* symbol, const void* src,
                                                             size_t bytes, size_t offset,
                                                             cudaMemcpyKind kind) {
  return set_params(exec, node, cudaGraphNodeTypeMemcpy, [&](Operation& op) {
    return copy_to_symbol_from(symbol, src, bytes, offset, kind, op);
  });
}

EMU_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                               cudaGraphNode_t node, void* dst,
                                                               const void* symbol, size_t bytes,
                                                               size_t offset, cudaMemcpyKind kind) {
  return set_params(exec, node, cudaGraphNodeTypeMemcpy, [&](Operation& op) {
    return copy_from_symbol_from(dst, symbol, bytes, offset, kind, op);
  });
}

EMU_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const cudaMemsetParams* params) {
  return set_params(exec, node, cudaGraphNodeTypeMemset, [&](Operation& op) {
    return params ? fill_from(*params, op) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                   const cudaHostNodeParams* params) {
  return set_params(exec, node, cudaGraphNodeTypeHost, [&](Operation& op) {
    return params ? host_from(*params, op) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                         cudaEvent_t event) {
  return set_params(exec, node, cudaGraphNodeTypeEventRecord,
                    [&](Operation& op) { return record_from(event, op); });
}

EMU_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       cudaEvent_t event) {
  return set_params(exec, node, cudaGraphNodeTypeWaitEvent,
                    [&](Operation& op) { return wait_from(event, op); });
}

EMU_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle,
                                                         cudaGraphNode_t node, cudaGraph_t child) {
  return call([&]() -> cudaError_t {
    auto exec = ExecTable::instance().find(handle);
    auto update = GraphTable::instance().find(child);
    Node* copy = exec ? exec->graph->find_copy_of(node) : nullptr;
    if (!update || !copy || !copy->child) return cudaErrorInvalidValue;
    cudaGraphExecUpdateResultInfo info{};
    if (compare(*copy->child, *update, info) != cudaGraphExecUpdateSuccess)
      return cudaErrorGraphExecUpdateFailure;
    take_operations(*copy->child, *update);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaGraphNodeParams* params) {
  if (!params) return finish(cudaErrorInvalidValue);
  if (params->type == cudaGraphNodeTypeGraph)
    return cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
  std::shared_ptr<Graph> child;
  return set_params(exec, node, params->type,
                    [&](Operation& op) { return operation_from(*params, op, child); });
}
