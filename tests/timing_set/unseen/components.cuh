// SPDX-License-Identifier: MIT
// Connected components: the larger of two labels that an edge connects takes the smaller one. Always by an atomic, only where
// a look says that it would change something, and by a thread that goes over a vertex's edges.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kEdgesEach = 6;
template <bool Looks>
__device__ void hook(unsigned a, unsigned b, unsigned* next) {
  const unsigned low = min(a, b), high = max(a, b);
  if (low == high) return;
  if (!Looks || *const_cast<volatile unsigned*>(&next[high]) > low) atomicMin(&next[high], low);
}
template <bool Looks>
__global__ void components_by_edge(const uint2* edges, const unsigned* labels, unsigned* next,
                                   unsigned vertices) {
  const unsigned e = thread_number();
  if (e < vertices * kEdgesEach) hook<Looks>(labels[edges[e].x], labels[edges[e].y], next);
}
__global__ void components_by_vertex(const uint2* edges, const unsigned* labels, unsigned* next,
                                     unsigned vertices) {
  const unsigned v = thread_number();
  if (v >= vertices) return;
  const unsigned own = labels[v];
  unsigned least = own;
  for (unsigned k = 0; k < kEdgesEach; ++k) {
    const unsigned other = labels[edges[v * kEdgesEach + k].y];
    if (other > own) hook<true>(own, other, next);
    least = min(least, other);
  }
  if (least < own) atomicMin(&next[own], least);
}

inline unsigned label_of(unsigned v) { return mixed(v) % 4 ? v / 32 * 32 : v; }  // partly joined
template <unsigned Threads, unsigned Block, class Function>
std::function<Problem(unsigned)> components_problem(Function kernel) {
  return [=](unsigned vertices) {
    std::vector<uint2> pairs(vertices * kEdgesEach);
    for (unsigned e = 0; e < pairs.size(); ++e) {
      const unsigned s = mixed(e + 77), v = e / kEdgesEach;
      pairs[e] = {v, s % 2 ? (v + s / 2 % 100) % vertices : s / 2 % vertices};
    }
    std::vector<unsigned> wanted(vertices);
    for (unsigned v = 0; v < vertices; ++v) wanted[v] = label_of(v);
    for (const uint2 edge : pairs) {
      const auto [low, high] = std::minmax({label_of(edge.x), label_of(edge.y)});
      wanted[high] = std::min(wanted[high], low);
    }
    auto edges = array(std::move(pairs));
    auto labels = array<unsigned>(vertices, label_of), next = array<unsigned>(vertices, label_of);
    return Problem{[=] {
                     kernel<<<blocks_of(vertices * Threads, Block), Block>>>(
                         edges->data(), labels->data(), next->data(), vertices);
                   },
                   [=] { return next->device.download() == wanted; }, [=] { next->restore(); }};
  };
}

inline void add_components(Set& set) {
  const std::vector<unsigned> sizes = {1500, 25000, 600000};
  set.add("components_always", sizes,
          components_problem<kEdgesEach, 256>(components_by_edge<false>));
  set.add("components_looked", sizes,
          components_problem<kEdgesEach, 256>(components_by_edge<true>));
  set.add("components_by_vertex", sizes, components_problem<1, 128>(components_by_vertex));
}

}  // namespace timing_set
