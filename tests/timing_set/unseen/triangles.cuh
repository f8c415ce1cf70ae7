// SPDX-License-Identifier: MIT
// The triangles of a graph, counted edge by edge as what two lists in order have in common: by walking both, by looking
// the elements of one up in the other, and by a warp that looks up many at once.
#pragma once
#include <set>

#include "../set.cuh"

namespace timing_set {

struct Edges {
  const unsigned *begin, *to, *from;  // each edge once, from the smaller number
};
__device__ inline bool has(const unsigned* list, unsigned count, unsigned x) {
  unsigned low = 0, high = count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (list[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && list[low] == x;
}
__device__ inline void add_found(unsigned found, unsigned* total) {
  found = warp_sum(found);
  if (threadIdx.x % 32 == 0 && found) atomicAdd(total, found);
}
__global__ void triangles_walked(Edges g, unsigned edges, unsigned* total) {
  const unsigned e = thread_number();
  unsigned found = 0;
  if (e < edges) {
    unsigned a = g.begin[g.from[e]], b = g.begin[g.to[e]];
    const unsigned end_a = g.begin[g.from[e] + 1], end_b = g.begin[g.to[e] + 1];
    while (a < end_a && b < end_b) {
      const unsigned x = g.to[a], y = g.to[b];
      found += x == y;
      a += x <= y;
      b += y <= x;
    }
  }
  add_found(found, total);
}
__global__ void triangles_looked_up(Edges g, unsigned edges, unsigned* total) {
  const unsigned e = thread_number();
  unsigned found = 0;
  if (e < edges) {
    const unsigned first = g.begin[g.to[e]], count = g.begin[g.to[e] + 1] - first;
    for (unsigned a = e + 1; a < g.begin[g.from[e] + 1]; ++a)
      found += has(g.to + first, count, g.to[a]);
  }
  add_found(found, total);
}
__global__ void triangles_by_warp(Edges g, unsigned vertices, unsigned* total) {
  const unsigned v = thread_number() / 32;
  if (v >= vertices) return;
  unsigned found = 0;
  for (unsigned e = g.begin[v]; e < g.begin[v + 1]; ++e) {
    const unsigned first = g.begin[g.to[e]], count = g.begin[g.to[e] + 1] - first;
    for (unsigned a = e + 1 + threadIdx.x % 32; a < g.begin[v + 1]; a += 32)
      found += has(g.to + first, count, g.to[a]);
  }
  add_found(found, total);
}

template <bool ByVertex, class Function>
std::function<Problem(unsigned)> triangles_problem(Function kernel) {
  return [=](unsigned vertices) {
    std::vector<unsigned> begins(1, 0), ends, starts;
    for (unsigned v = 0; v < vertices; ++v) {
      std::set<unsigned> own;  // near ones, so that there are triangles
      for (unsigned k = 0; k < (mixed(v) % 16 ? 10 : 60); ++k)
        own.insert(v + 1 + mixed(v * 61 + k) % 80);
      for (const unsigned to : own)
        if (to < vertices) ends.push_back(to), starts.push_back(v);
      begins.push_back(static_cast<unsigned>(ends.size()));
    }
    const auto edges = static_cast<unsigned>(ends.size());
    unsigned wanted = 0;
    for (unsigned e = 0; e < edges; ++e)
      for (unsigned a = e + 1; a < begins[starts[e] + 1]; ++a)
        wanted += std::binary_search(ends.begin() + begins[ends[e]],
                                     ends.begin() + begins[ends[e] + 1], ends[a]);
    auto begin = array(std::move(begins)), to = array(std::move(ends)),
         from = array(std::move(starts));
    auto total = room<unsigned>(1);
    const unsigned threads = ByVertex ? vertices * 32 : edges;
    return Problem{
        [=] {
          kernel<<<blocks_of(threads, 128), 128>>>(Edges{begin->data(), to->data(), from->data()},
                                                   ByVertex ? vertices : edges, total->data());
        },
        [=] { return total->device.download() == std::vector{wanted}; }, [=] { clear(total); }};
  };
}

inline void add_triangles(Set& set) {
  const std::vector<unsigned> sizes = {500, 5000, 80000};
  set.add("triangles_walked", sizes, triangles_problem<false>(triangles_walked));
  set.add("triangles_looked_up", sizes, triangles_problem<false>(triangles_looked_up));
  set.add("triangles_by_warp", sizes, triangles_problem<true>(triangles_by_warp));
}

}  // namespace timing_set
