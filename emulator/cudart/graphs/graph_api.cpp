// SPDX-License-Identifier: MIT
// The graph calls of the API that concern structure: making, copying, nodes, edges.
#include <algorithm>
#include <memory>
#include <vector>

#include "cudart/calls/call.hpp"
#include "cudart/graphs/graph.hpp"

using namespace emu::cudart;

namespace {

bool same_edge(const cudaGraphEdgeData& a, const cudaGraphEdgeData& b) {
  return a.from_port == b.from_port && a.to_port == b.to_port && a.type == b.type;
}

// The convention of all "Get" calls with a list: a null list asks for the count; else up to *count
// are written, the rest is nulled.
template <class T>
void give(const std::vector<T>& from, T* to, std::size_t capacity) {
  for (std::size_t i = 0; i < capacity; ++i) to[i] = i < from.size() ? from[i] : T{};
}

struct EdgeList {
  std::vector<cudaGraphNode_t> from, to;
  std::vector<cudaGraphEdgeData> data;
};

cudaError_t give_edges(const EdgeList& list, cudaGraphNode_t* from, cudaGraphNode_t* to,
                       cudaGraphEdgeData* data, std::size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (!from && !to) {
    if (data) return cudaErrorInvalidValue;
    *count = list.data.size();
    return cudaSuccess;
  }
  if (!data)
    for (auto& d : list.data)
      if (!same_edge(d, cudaGraphEdgeData{})) return cudaErrorLossyQuery;
  if (from) give(list.from, from, *count);
  if (to) give(list.to, to, *count);
  if (data) give(list.data, data, *count);
  *count = std::min(*count, list.data.size());
  return cudaSuccess;
}

cudaError_t change_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                         const cudaGraphEdgeData* data, std::size_t count, bool add) {
  auto graph = GraphTable::instance().find(handle);
  if (!graph || (count && (!from || !to))) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    Node *a = graph->find(from[i]), *b = graph->find(to[i]);
    if (!a || !b || a == b) return cudaErrorInvalidValue;
    auto edge = data ? data[i] : cudaGraphEdgeData{};
    auto it =
        std::find_if(b->dependencies.begin(), b->dependencies.end(),
                     [&](const Node::Edge& e) { return e.from == a && same_edge(e.data, edge); });
    bool there = it != b->dependencies.end();
    if (add == there) return cudaErrorInvalidValue;  // a cycle is only refused at instantiation
    if (add)
      b->dependencies.push_back({a, edge});
    else
      b->dependencies.erase(it);
  }
  return cudaSuccess;
}

}  // namespace

EMU_API cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = GraphTable::instance().add(std::make_shared<Graph>());
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph) return cudaErrorInvalidValue;
    unlist(*graph);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t handle) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph || !out) return cudaErrorInvalidValue;
    *out = copy_graph(*graph, true)->handle;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t node,
                                             cudaGraph_t clone) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(clone);
    if (!graph || !out) return cudaErrorInvalidValue;
    Node* copy = graph->find_copy_of(node);
    if (!copy) return cudaErrorInvalidValue;
    *out = copy->handle;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return call([&]() -> cudaError_t {
    auto node = NodeTable::instance().find(handle);
    if (!node) return cudaErrorInvalidValue;
    Graph& graph = *node->graph;
    if (node->child) unlist(*node->child);
    for (auto& other : graph.nodes)
      std::erase_if(other->dependencies, [&](const Node::Edge& e) { return e.from == node.get(); });
    std::erase(graph.nodes, node);
    NodeTable::instance().remove(handle);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return call([&]() -> cudaError_t {
    auto node = NodeTable::instance().find(handle);
    if (!node || !type) return cudaErrorInvalidValue;
    *type = node->type;
    return cudaSuccess;
  });
}

namespace {

cudaError_t give_nodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count, bool only_roots) {
  auto graph = GraphTable::instance().find(handle);
  if (!graph || !count) return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> list;
  for (auto& node : graph->nodes)
    if (!only_roots || node->dependencies.empty()) list.push_back(node->handle);
  if (nodes) give(list, nodes, *count);
  *count = nodes ? std::min(*count, list.size()) : list.size();
  return cudaSuccess;
}

}  // namespace

EMU_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&] { return give_nodes(graph, nodes, count, false); });
}

EMU_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                          size_t* count) {
  return call([&] { return give_nodes(graph, nodes, count, true); });
}

EMU_API cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from,
                                      cudaGraphNode_t* to, cudaGraphEdgeData* data, size_t* count) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph || !from != !to) return cudaErrorInvalidValue;
    EdgeList list;
    for (auto& node : graph->nodes)
      for (auto& edge : node->dependencies) {
        list.from.push_back(edge.from->handle);
        list.to.push_back(node->handle);
        list.data.push_back(edge.data);
      }
    return give_edges(list, from, to, data, count);
  });
}

EMU_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                                 cudaGraphEdgeData* data, size_t* count) {
  return call([&]() -> cudaError_t {
    auto node = NodeTable::instance().find(handle);
    if (!node) return cudaErrorInvalidValue;
    EdgeList list;
    for (auto& edge : node->dependencies)
      list.from.push_back(edge.from->handle), list.data.push_back(edge.data);
    return give_edges(list, nodes, nullptr, data, count);
  });
}

EMU_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                                   cudaGraphEdgeData* data, size_t* count) {
  return call([&]() -> cudaError_t {
    auto node = NodeTable::instance().find(handle);
    if (!node) return cudaErrorInvalidValue;
    EdgeList list;
    for (auto& other : node->graph->nodes)
      for (auto& edge : other->dependencies)
        if (edge.from == node.get())
          list.from.push_back(other->handle), list.data.push_back(edge.data);
    return give_edges(list, nodes, nullptr, data, count);
  });
}

EMU_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                             const cudaGraphNode_t* to,
                                             const cudaGraphEdgeData* data, size_t count) {
  return call([&] { return change_edges(graph, from, to, data, count, true); });
}

EMU_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                const cudaGraphNode_t* to,
                                                const cudaGraphEdgeData* data, size_t count) {
  return call([&] { return change_edges(graph, from, to, data, count, false); });
}
