// SPDX-License-Identifier: MIT
// cudaGraphDebugDotPrint: a graph as Graphviz text. Nodes are numbered in the order they were
// added.
#include <cctype>
#include <fstream>
#include <unordered_map>

#include "cudart/calls/call.hpp"
#include "cudart/graphs/graph.hpp"
#include "cudart/launching/launch.hpp"

using namespace emu::cudart;

namespace {

// "EVENT_WAIT"
std::string type_name(cudaGraphNodeType type) {
  std::string name = node_type_name(type);
  for (char& c : name) c = c == ' ' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

std::string label(const Node& node) {
  std::string text = type_name(node.type);
  const auto launch = launch_of(node.operation);
  if (!launch) return text;
  if (const auto found = find_kernel(launch->handle, launch->device))
    text += "\\n" + found.kernel->pretty;
  auto dims = [](const dim3& d) {
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
  };
  return text + "\\n<<<" + dims(launch->grid) + "," + dims(launch->block) + "," +
         std::to_string(launch->dynamic_shared) + ">>>";
}

void write(std::ostream& out, const Graph& graph, const std::string& prefix) {
  std::unordered_map<const Node*, std::string> names;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = *graph.nodes[i];
    const std::string& name = names[&node] = prefix + "node_" + std::to_string(i);
    out << "  " << name << " [shape=\"box\" label=\"" << i << " " << label(node) << "\"];\n";
    if (!node.child) continue;
    out << "  subgraph cluster_" << name << " {\n";
    write(out, *node.child, name + "_");
    out << "  }\n";
  }
  for (auto& node : graph.nodes)
    for (auto& edge : node->dependencies)
      out << "  " << names[edge.from] << " -> " << names[node.get()] << ";\n";
}

}  // namespace

EMU_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int) {
  return call([&]() -> cudaError_t {
    auto graph = GraphTable::instance().find(handle);
    if (!graph || !path) return cudaErrorInvalidValue;
    std::ofstream out(path);
    if (!out) return cudaErrorOperatingSystem;
    out << "digraph graph_1 {\n";
    write(out, *graph, "");
    out << "}\n";
    return out ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
