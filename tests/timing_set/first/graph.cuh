// SPDX-License-Identifier: MIT
// One level of a breadth-first search: by vertex, by edge, a warp for each vertex; and how many edges end at each vertex.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kUnseen = -1, kLevel = 3;

__global__ void level_by_vertex(const unsigned* begin, const unsigned*, const unsigned* to,
                                int* level, unsigned vertices, unsigned) {
  const unsigned v = thread_number();
  if (v >= vertices || level[v] != kLevel) return;
  for (unsigned e = begin[v]; e < begin[v + 1]; ++e)
    if (level[to[e]] == kUnseen) level[to[e]] = kLevel + 1;
}
__global__ void level_by_edge(const unsigned*, const unsigned* from, const unsigned* to, int* level,
                              unsigned, unsigned edges) {
  const unsigned e = thread_number();
  if (e < edges && level[from[e]] == kLevel && level[to[e]] == kUnseen) level[to[e]] = kLevel + 1;
}
__global__ void level_by_warp(const unsigned* begin, const unsigned*, const unsigned* to,
                              int* level, unsigned vertices, unsigned) {
  const unsigned v = thread_number() / 32;
  if (v >= vertices || level[v] != kLevel) return;
  for (unsigned e = begin[v] + threadIdx.x % 32; e < begin[v + 1]; e += 32)
    if (level[to[e]] == kUnseen) level[to[e]] = kLevel + 1;
}
__global__ void edges_into(const unsigned*, const unsigned*, const unsigned* to, int* counts,
                           unsigned, unsigned edges) {
  const unsigned e = thread_number();
  if (e < edges) atomicAdd(&counts[to[e]], 1);
}

// Few vertices have many edges, and many edges end at few.
struct Graph {
  Shared<unsigned> begin, from, to;
};
inline Graph graph_of(unsigned vertices) {
  std::vector<unsigned> begin(1, 0), from, to;
  for (unsigned v = 0; v < vertices; ++v) {
    const unsigned r = mixed(v), edges = r % 64 == 0 ? 128 : 2 + r % 16;
    for (unsigned e = 0; e < edges; ++e) {
      const unsigned s = mixed(v * 131 + e);
      from.push_back(v);
      to.push_back(s % 4 ? mixed(s) % vertices : mixed(s) % (vertices / 32));
    }
    begin.push_back(static_cast<unsigned>(to.size()));
  }
  return {array(begin), array(from), array(to)};
}
template <class Function>
std::function<Problem(unsigned)> graph_problem(Function kernel, bool by_edge, unsigned per_item,
                                               bool counts) {
  return [=](unsigned vertices) {
    const Graph g = graph_of(vertices);
    const unsigned edges = g.to->size(), items = by_edge ? edges : vertices;
    auto level = array<int>(vertices, [=](unsigned v) {
      return counts ? 0 : mixed(v + 99) % 4 ? kUnseen : kLevel;
    });
    std::vector<int> wanted = level->host;
    for (unsigned e = 0; e < edges; ++e) {
      int& at = wanted[g.to->host[e]];
      if (counts) ++at;
      if (!counts && level->host[g.from->host[e]] == kLevel && at == kUnseen) at = kLevel + 1;
    }
    return Problem{[=] {
                     kernel<<<blocks_of(std::size_t{items} * per_item), kBlock>>>(
                         g.begin->data(), g.from->data(), g.to->data(), level->data(), vertices,
                         edges);
                   },
                   [=] { return level->device.download() == wanted; }, [=] { level->restore(); }};
  };
}

inline void add_graph(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 15, 1 << 18};
  set.add("level_by_vertex", sizes, graph_problem(level_by_vertex, false, 1, false));
  set.add("level_by_edge", sizes, graph_problem(level_by_edge, true, 1, false));
  set.add("level_by_warp", sizes, graph_problem(level_by_warp, false, 32, false));
  set.add("edges_into", sizes, graph_problem(edges_into, true, 1, true));
}

}  // namespace timing_set
