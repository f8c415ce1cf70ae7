// SPDX-License-Identifier: MIT
// Graphs as structures: nodes, edges, copies, the order of execution.
#include "cudart/graphs/graph.hpp"

#include <algorithm>
#include <unordered_map>

#include "cudart/calls/call.hpp"
#include "cudart/graphs/user_object.hpp"

namespace emu::cudart {

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

void unlist(Graph& graph) {
  for (auto& node : graph.nodes) {
    if (node->child) unlist(*node->child);
    if (node->handle) NodeTable::instance().remove(node->handle);
  }
  if (graph.handle) GraphTable::instance().remove(graph.handle);
}

Graph::~Graph() {
  for (auto& [object, count] : user_objects) release_user_object(object, count);
}

Node* Graph::find(cudaGraphNode_t wanted) const {
  for (auto& node : nodes)
    if (node->handle == wanted) return node.get();
  return nullptr;
}

Node* Graph::find_copy_of(cudaGraphNode_t wanted) const {
  for (auto& node : nodes) {
    if (node->origin == wanted) return node.get();
    if (node->child)
      if (Node* inner = node->child->find_copy_of(wanted)) return inner;
  }
  return nullptr;
}

cudaGraphNodeType node_type(Operation::Kind kind) {
  switch (kind) {
    case Operation::Kind::Kernel:
      return cudaGraphNodeTypeKernel;
    case Operation::Kind::Memcpy:
      return cudaGraphNodeTypeMemcpy;
    case Operation::Kind::Memset:
      return cudaGraphNodeTypeMemset;
    case Operation::Kind::Host:
      return cudaGraphNodeTypeHost;
    case Operation::Kind::EventRecord:
      return cudaGraphNodeTypeEventRecord;
    case Operation::Kind::EventWait:
      return cudaGraphNodeTypeWaitEvent;
    case Operation::Kind::Alloc:
      return cudaGraphNodeTypeMemAlloc;
    case Operation::Kind::Free:
      return cudaGraphNodeTypeMemFree;
    case Operation::Kind::Empty:
      break;
  }
  return cudaGraphNodeTypeEmpty;
}

cudaError_t add_node(Graph& graph, const cudaGraphNode_t* dependencies,
                     const cudaGraphEdgeData* edges, std::size_t count, cudaGraphNodeType type,
                     Operation operation, std::shared_ptr<Graph> child, cudaGraphNode_t* out) {
  if (!out || (count && !dependencies)) return cudaErrorInvalidValue;
  auto node = std::make_shared<Node>();
  node->graph = &graph;
  node->type = type;
  node->operation = std::move(operation);
  node->child = std::move(child);
  for (std::size_t i = 0; i < count; ++i) {
    Node* from = graph.find(dependencies[i]);
    if (!from) return cudaErrorInvalidValue;
    for (auto& edge : node->dependencies)
      if (edge.from == from) return cudaErrorInvalidValue;  // named twice
    node->dependencies.push_back({from, edges ? edges[i] : cudaGraphEdgeData{}});
  }
  *out = NodeTable::instance().add(node);
  graph.nodes.push_back(std::move(node));
  return cudaSuccess;
}

std::shared_ptr<Graph> copy_graph(const Graph& graph, bool listed) {
  auto copy = std::make_shared<Graph>();
  copy->origin = graph.handle;
  copy->listed = listed;
  if (listed) GraphTable::instance().add(copy);
  std::unordered_map<const Node*, Node*> twin;
  for (auto& node : graph.nodes) {
    auto fresh = std::make_shared<Node>(*node);
    fresh->graph = copy.get();
    fresh->handle = nullptr;
    fresh->origin = node->handle ? node->handle : node->origin;
    fresh->argument_list.clear();
    if (node->child) fresh->child = copy_graph(*node->child, listed);
    if (listed) NodeTable::instance().add(fresh);
    twin[node.get()] = fresh.get();
    copy->nodes.push_back(std::move(fresh));
  }
  for (auto& node : copy->nodes)  // an edge may come from a node created later
    for (auto& edge : node->dependencies) edge.from = twin.at(edge.from);
  copy->user_objects = graph.user_objects;
  for (auto& [object, count] : copy->user_objects) retain_user_object(object, count);
  return copy;
}

std::vector<Node*> execution_order(const Graph& graph) {
  std::vector<Node*> order;
  std::unordered_map<const Node*, std::size_t> waits;
  std::unordered_map<const Node*, std::vector<std::size_t>> behind;
  std::set<std::size_t> ready;  // by order of creation
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto& node = graph.nodes[i];
    waits[node.get()] = node->dependencies.size();
    for (auto& edge : node->dependencies) behind[edge.from].push_back(i);
    if (node->dependencies.empty()) ready.insert(i);
  }
  while (!ready.empty()) {
    Node* node = graph.nodes[*ready.begin()].get();
    ready.erase(ready.begin());
    order.push_back(node);
    for (std::size_t next : behind[node])
      if (--waits[graph.nodes[next].get()] == 0) ready.insert(next);
  }
  if (order.size() != graph.nodes.size()) order.clear();
  return order;
}

cudaError_t execute(const Graph& graph, const std::set<const Node*>& disabled) {
  for (Node* node : execution_order(graph)) {
    if (disabled.count(node)) continue;
    if (device_failed()) return cudaSuccess;
    if (node->child) {
      if (cudaError_t e = execute(*node->child, disabled)) return e;
    } else if (node->operation.run) {
      auto work = node->operation.run;  // a host function may change the graph
      if (cudaError_t e = work()) return e;
    }
  }
  return cudaSuccess;
}

}  // namespace emu::cudart

using namespace emu::cudart;

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
