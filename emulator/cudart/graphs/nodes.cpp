// SPDX-License-Identifier: MIT
// Adding nodes to a graph by hand.
#include "cudart/calls/call.hpp"
#include "cudart/graphs/graph.hpp"
#include "cudart/graphs/params.hpp"
#include "cudart/memory/copy.hpp"

using namespace emu::cudart;

namespace {

// Makes the operation with make(operation), then adds the node.
template <class Make>
cudaError_t add(cudaGraphNode_t* out, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                size_t count, cudaGraphNodeType type, Make&& make) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph || !out) return cudaErrorInvalidValue;
    Operation operation;
    if (cudaError_t e = make(operation)) return e;
    return add_node(*graph, dependencies, nullptr, count, type, std::move(operation), nullptr, out);
  });
}

}  // namespace

EMU_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const cudaKernelNodeParams* params) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeKernel, [&](Operation& op) {
    return params ? kernel_from(*params, op) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const cudaMemcpy3DParms* params) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeMemcpy, [&](Operation& op) {
    return params ? copy_from(*params, op) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* dst, const void* src, size_t bytes,
                                             cudaMemcpyKind kind) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeMemcpy, [&](Operation& op) {
    return copy_from(flat_copy(dst, src, bytes, kind, "cudaGraphAddMemcpyNode1D").params, op);
  });
}

EMU_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                                   const cudaGraphNode_t* dependencies,
                                                   size_t count, const void* symbol,
                                                   const void* src, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeMemcpy, [&](Operation& op) {
    return copy_to_symbol_from(symbol, src, bytes, offset, kind, op);
  });
}

EMU_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                                     const cudaGraphNode_t* dependencies,
                                                     size_t count, void* dst, const void* symbol,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeMemcpy, [&](Operation& op) {
    return copy_from_symbol_from(dst, symbol, bytes, offset, kind, op);
  });
}

EMU_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const cudaMemsetParams* params) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeMemset, [&](Operation& op) {
    return params ? fill_from(*params, op) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                         const cudaGraphNode_t* dependencies, size_t count,
                                         const cudaHostNodeParams* params) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeHost, [&](Operation& op) {
    return params ? host_from(*params, op) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, size_t count) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeEmpty,
             [](Operation&) { return cudaSuccess; });
}

EMU_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                const cudaGraphNode_t* dependencies, size_t count,
                                                cudaEvent_t event) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeEventRecord,
             [&](Operation& op) { return record_from(event, op); });
}

EMU_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                              const cudaGraphNode_t* dependencies, size_t count,
                                              cudaEvent_t event) {
  return add(out, graph, dependencies, count, cudaGraphNodeTypeWaitEvent,
             [&](Operation& op) { return wait_from(event, op); });
}

EMU_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count,
                                               cudaGraph_t child) {
  return call([&]() -> cudaError_t {
    auto parent = GraphTable::instance().find(graph), inner = GraphTable::instance().find(child);
    if (!parent || !inner || !out || parent == inner) return cudaErrorInvalidValue;
    return add_node(*parent, dependencies, nullptr, count, cudaGraphNodeTypeGraph, {},
                    copy_graph(*inner, true), out);
  });
}

EMU_API cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t handle,
                                     const cudaGraphNode_t* dependencies,
                                     const cudaGraphEdgeData* edges, size_t count,
                                     cudaGraphNodeParams* params) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph || !out || !params) return cudaErrorInvalidValue;
    Operation operation;
    std::shared_ptr<Graph> child;
    if (cudaError_t e = operation_from(*params, operation, child)) return e;
    return add_node(*graph, dependencies, edges, count, params->type, std::move(operation),
                    std::move(child), out);
  });
}
