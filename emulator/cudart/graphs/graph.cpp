// SPDX-License-Identifier: MIT
// Graphs as structures: nodes, edges, copies, the order of execution.
#include "cudart/graphs/graph.hpp"

#include <algorithm>
#include <unordered_map>

#include "cudart/calls/call.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/graphs/user_object.hpp"

namespace emu::cudart {

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

const char* node_type_name(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "kernel";
    case cudaGraphNodeTypeMemcpy:
      return "memcpy";
    case cudaGraphNodeTypeMemset:
      return "memset";
    case cudaGraphNodeTypeHost:
      return "host";
    case cudaGraphNodeTypeGraph:
      return "graph";
    case cudaGraphNodeTypeEmpty:
      return "empty";
    case cudaGraphNodeTypeWaitEvent:
      return "event wait";
    case cudaGraphNodeTypeEventRecord:
      return "event record";
    case cudaGraphNodeTypeExtSemaphoreSignal:
      return "semaphore signal";
    case cudaGraphNodeTypeExtSemaphoreWait:
      return "semaphore wait";
    case cudaGraphNodeTypeMemAlloc:
      return "mem alloc";
    case cudaGraphNodeTypeMemFree:
      return "mem free";
    case cudaGraphNodeTypeConditional:
      return "conditional";
    default:
      return "other";
  }
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

// Tells the race check what comes before the node.
static void order_node(check::Orders& orders, const Node& node) {
  std::vector<const void*> behind;
  for (const auto& edge : node.dependencies) behind.push_back(edge.from);
  if (node.child) return orders.begin_child(&node, behind);
  orders.begin_node(&node, behind);
  const auto* event = std::any_cast<cudaEvent_t>(&node.operation.detail);
  if (event && node.type == cudaGraphNodeTypeEventRecord) orders.node_records(&node, *event);
  if (event && node.type == cudaGraphNodeTypeWaitEvent) orders.node_waits(&node, *event);
}

cudaError_t execute(const Graph& graph, const std::set<const Node*>& disabled) {
  check::Orders* const orders = race_orders();
  for (Node* node : execution_order(graph)) {
    if (orders) order_node(*orders, *node);
    if (disabled.count(node)) continue;
    if (any_device_failed()) return cudaSuccess;
    if (node->child) {
      const cudaError_t e = execute(*node->child, disabled);
      if (orders) orders->end_child(node);
      if (e) return e;
    } else if (node->operation.run) {
      auto work = node->operation.run;  // a host function may change the graph
      if (cudaError_t e = work()) return e;
    }
  }
  return cudaSuccess;
}

}  // namespace emu::cudart
