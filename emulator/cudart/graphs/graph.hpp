// SPDX-License-Identifier: MIT
// Graphs: nodes with what they do, and on what they depend. An executable graph is a private copy
// of one.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cudart/calls/handles.hpp"
#include "cudart/streams/operation.hpp"

namespace emu::cudart {

struct Graph;

struct Node {
  struct Edge {
    Node* from = nullptr;
    cudaGraphEdgeData data{};
  };

  cudaGraphNode_t handle = nullptr;
  Graph* graph = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Operation operation;
  std::shared_ptr<Graph> child;  // of a child graph node
  std::vector<Edge> dependencies;
  cudaGraphNode_t origin = nullptr;  // the node this one is a copy of
  std::map<int, cudaLaunchAttributeValue> attributes;
  std::vector<void*> argument_list;  // what cudaGraphKernelNodeGetParams points to
};

struct Graph {
  ~Graph();
  cudaGraph_t handle = nullptr;
  cudaGraph_t origin = nullptr;
  std::vector<std::shared_ptr<Node>> nodes;               // in order of creation
  std::map<cudaUserObject_t, unsigned int> user_objects;  // references it owns
  bool listed = true;  // its nodes have entries in NodeTable; false inside an executable graph

  Node* find(cudaGraphNode_t node) const;
  Node* find_copy_of(cudaGraphNode_t origin) const;  // also inside child graphs
};

struct GraphExec {
  cudaGraphExec_t handle = nullptr;
  unsigned long long flags = 0;
  std::shared_ptr<Graph> graph;
  std::set<const Node*> disabled;
};

using GraphTable = HandleTable<cudaGraph_t, Graph>;
using NodeTable = HandleTable<cudaGraphNode_t, Node>;
using ExecTable = HandleTable<cudaGraphExec_t, GraphExec>;

cudaGraphNodeType node_type(Operation::Kind kind);
// "event wait", "conditional"; "other" for what the header does not name.
const char* node_type_name(cudaGraphNodeType type);

// Adds a node; dependencies must be nodes of the same graph (cudaErrorInvalidValue).
cudaError_t add_node(Graph& graph, const cudaGraphNode_t* dependencies,
                     const cudaGraphEdgeData* edges, std::size_t count, cudaGraphNodeType type,
                     Operation operation, std::shared_ptr<Graph> child, cudaGraphNode_t* out);
// Takes the graph and its nodes out of the tables: their handles are invalid from here on.
void unlist(Graph& graph);
std::shared_ptr<Graph> copy_graph(const Graph& graph, bool listed);

// Dependencies first; among those that could come next, the one created first. Empty if there is a
// cycle.
std::vector<Node*> execution_order(const Graph& graph);
// Does every node; ends at the first error.
cudaError_t execute(const Graph& graph, const std::set<const Node*>& disabled);

}  // namespace emu::cudart
