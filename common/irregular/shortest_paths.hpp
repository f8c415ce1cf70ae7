// SPDX-License-Identifier: MIT
// How far is every vertex of a graph from the first one? A vertex whose distance has become shorter is a task: its
// neighbours are looked at. Any order of the tasks ends with the same distances; a good one has less to do.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/program/family.cuh"

namespace course {

inline constexpr std::uint32_t kFar = 0xffffffff;  // the distance of a vertex that nobody reaches
inline constexpr std::uint32_t kMostEdges = 4;     // of a vertex, outgoing
inline constexpr std::uint32_t kLongest = 1000;    // edge; the shortest has length 1

struct Edge {
  std::uint32_t to, length;
};

// Pointers are device memory. The edges of vertex v are edges[kMostEdges * v ...], those with `to` = v are none.
struct Paths {
  const Edge* edges = nullptr;
  std::uint32_t vertices = 0;
  std::uint32_t* distances = nullptr;  // what is asked; from vertex 0
  // Room for lists and queues, aligned to 256 bytes: 192 for each vertex, and 1 MiB.
  std::byte* memory = nullptr;
  std::size_t memory_bytes = 0;
  const void** owner = nullptr;  // as of TreeSearch
  int block = 256;
  const Device* device = nullptr;
};

// --graph.
std::span<const Choice> paths_choices();
std::unique_ptr<families::ProblemOf<Paths>> make_paths(const families::Setup& setup);

// "roads": a grid of streets, each with a length of its own; "random": every edge leads anywhere. n / 16 vertices.
std::vector<Edge> make_graph(const std::string& kind, std::uint32_t vertices, std::uint64_t seed);

// Dijkstra's algorithm, or with more than one thread rounds in which all shorten what they can.
std::vector<std::uint32_t> cpu_paths(std::span<const Edge> edges, unsigned threads);

}  // namespace course
