// SPDX-License-Identifier: MIT
// One step of some algorithms on a graph of about 23 neighbours to a vertex, few of which have many more: the next level of
// a breadth-first search from a queue into a queue, with a thread for a vertex; relaxing all edges for shortest paths,
// with a thread for an edge; page rank, with a warp for a vertex; and label propagation, where each vertex takes the label
// that most of its neighbours have.
#pragma once

#include <climits>

#include "../set.cuh"

namespace timing_set {

constexpr int kTraversalsFar = INT_MAX;    // not reached so far
constexpr unsigned kTraversalsLabels = 8;  // a byte of 64 bits for each
constexpr float kTraversalsDamping = 0.85f;

struct TraversalsEdge {
  int from, to, weight;
};

// The neighbours of v are neighbours[starts[v]] to neighbours[starts[v + 1] - 1].
__global__ void traversals_levels(const int* starts, const int* neighbours, const int* levels,
                                  const int* queue, unsigned length, int* marked, int* next,
                                  int* next_length) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int v = queue[i];
  for (int e = starts[v]; e < starts[v + 1]; ++e) {
    const int other = neighbours[e];
    if (levels[other] < 0 && atomicExch(&marked[other], 1) == 0)
      next[atomicAdd(next_length, 1)] = other;
  }
}

__global__ void traversals_relax(const TraversalsEdge* edges, const int* distances, int* next,
                                 unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const TraversalsEdge edge = edges[i];
  const int distance = distances[edge.from];
  if (distance == kTraversalsFar) return;
  const int through = distance + edge.weight;
  if (through < distances[edge.to]) atomicMin(&next[edge.to], through);
}

// Neighbours are those that link to a vertex here; inverse is one over the links that go out.
__global__ void traversals_rank(const int* __restrict__ starts, const int* __restrict__ neighbours,
                                const float* __restrict__ rank, const float* __restrict__ inverse,
                                float* __restrict__ out, unsigned n) {
  const unsigned v = thread_number() / 32, lane = threadIdx.x % 32;
  if (v >= n) return;
  const int end = starts[v + 1];
  float sum = 0;
  for (int e = starts[v] + static_cast<int>(lane); e < end; e += 32) {
    const int other = neighbours[e];
    sum += rank[other] * inverse[other];
  }
  sum = warp_sum(sum);
  if (lane == 0) out[v] = (1 - kTraversalsDamping) + kTraversalsDamping * sum;
}

__host__ __device__ inline unsigned char traversals_most(unsigned long long counts) {
  unsigned best = 0, label = 0;
  for (unsigned k = 0; k < kTraversalsLabels; ++k) {
    const unsigned count = counts >> (8 * k) & 255;
    if (count > best) {
      best = count;
      label = k;
    }
  }
  return static_cast<unsigned char>(label);
}

__global__ void __launch_bounds__(512)
    traversals_labels(const int* __restrict__ starts, const int* __restrict__ neighbours,
                      const unsigned char* __restrict__ labels, unsigned char* __restrict__ out,
                      unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  unsigned long long counts = 0;
  const int begin = starts[v], end = starts[v + 1];
  for (int e = begin; e < end; ++e) counts += 1ull << (8 * labels[neighbours[e]]);
  out[v] = traversals_most(counts);
}

struct TraversalsGraph {
  unsigned n;
  Shared<int> starts, neighbours;

  template <class Visit>
  void visit(unsigned v, Visit visitor) const {
    for (int e = starts->host[v]; e < starts->host[v + 1]; ++e)
      visitor(static_cast<unsigned>(neighbours->host[e]));
  }
};

// From 4 to 35 neighbours, or for one vertex in 50 from 128 to 254; half of them are near.
inline TraversalsGraph traversals_graph(unsigned n) {
  std::vector<int> starts(n + 1), neighbours;
  neighbours.reserve(std::size_t{n} * 24);
  for (unsigned v = 0; v < n; ++v) {
    const unsigned random = mixed(v + 1234567);
    const unsigned degree = random % 50 == 0 ? 128 + (random >> 8) % 127 : 4 + (random >> 8) % 32;
    for (unsigned k = 0; k < degree; ++k) {
      const unsigned other = mixed(v * 256 + k);
      const unsigned where = other & 1 ? (v + (other >> 1) % 1000 + 1) : other >> 1;
      neighbours.push_back(static_cast<int>(where % n));
    }
    starts[v + 1] = static_cast<int>(neighbours.size());
  }
  return {n, array(std::move(starts)), array(std::move(neighbours))};
}

inline Problem traversals_levels_problem(unsigned n) {
  const TraversalsGraph graph = traversals_graph(n);
  // A quarter of the vertices is in the queue, another one was before, and the rest is unknown.
  auto levels = array<int>(n, [](unsigned v) {
    const unsigned kind = mixed(v + 99) % 4;
    return kind == 0 ? 5 : kind == 1 ? 4 : -1;
  });
  std::vector<int> first;
  for (unsigned v = 0; v < n; ++v)
    if (levels->host[v] == 5) first.push_back(static_cast<int>(v));
  auto queue = array(std::move(first));
  auto marked = room<int>(n), next = room<int>(n), length = room<int>(1);
  return Problem{[=] {
                   traversals_levels<<<blocks_of(queue->size()), kBlock>>>(
                       graph.starts->data(), graph.neighbours->data(), levels->data(),
                       queue->data(), queue->size(), marked->data(), next->data(), length->data());
                 },
                 [=] {
                   std::vector<char> wanted(n);
                   int count = 0;
                   for (int v : queue->host)
                     graph.visit(static_cast<unsigned>(v), [&](unsigned other) {
                       if (levels->host[other] >= 0 || wanted[other]) return;
                       wanted[other] = 1;
                       ++count;
                     });
                   if (length->device.download()[0] != count) return false;
                   const std::vector<int> got = next->device.download();
                   for (int i = 0; i < count; ++i) {
                     if (got[i] < 0 || got[i] >= static_cast<int>(n) || !wanted[got[i]])
                       return false;
                     wanted[got[i]] = 0;  // each only once
                   }
                   return true;
                 },
                 [=] {
                   clear(marked);
                   clear(length);
                   COURSE_CHECK(cudaMemset(next->data(), 0xff, n * sizeof(int)));
                 }};
}

inline Problem traversals_relax_problem(unsigned n) {
  const TraversalsGraph graph = traversals_graph(n);
  std::vector<TraversalsEdge> all;
  all.reserve(graph.neighbours->size());
  for (unsigned v = 0; v < n; ++v)
    graph.visit(v, [&](unsigned other) {
      all.push_back({static_cast<int>(v), static_cast<int>(other),
                     static_cast<int>(mixed(static_cast<unsigned>(all.size())) % 100 + 1)});
    });
  auto edges = array(std::move(all));
  const auto distance = [](unsigned v) {
    const unsigned random = mixed(v + 55);
    return random % 4 == 0 ? kTraversalsFar : static_cast<int>((random >> 8) % 1000);
  };
  auto distances = array<int>(n, distance), next = array<int>(n, distance);
  return Problem{[=] {
                   traversals_relax<<<blocks_of(edges->size()), kBlock>>>(
                       edges->data(), distances->data(), next->data(), edges->size());
                 },
                 [=] {
                   std::vector<int> wanted = distances->host;
                   for (const TraversalsEdge& edge : edges->host)
                     if (distances->host[edge.from] != kTraversalsFar)
                       wanted[edge.to] =
                           std::min(wanted[edge.to], distances->host[edge.from] + edge.weight);
                   return next->device.download() == wanted;
                 },
                 [=] { next->restore(); }};
}

inline Problem traversals_rank_problem(unsigned n) {
  const TraversalsGraph graph = traversals_graph(n);
  std::vector<unsigned> links(n);
  for (int v : graph.neighbours->host) ++links[v];
  auto inverse = array<float>(n, [&](unsigned v) { return 1.0f / std::max(1u, links[v]); });
  auto rank = uniform(n, 51), out = room<float>(n);
  return Problem{
      [=] {
        traversals_rank<<<blocks_of(n, 4), 128>>>(graph.starts->data(), graph.neighbours->data(),
                                                  rank->data(), inverse->data(), out->data(), n);
      },
      [=] {
        return agrees(out, [&](unsigned v) {
          double sum = 0;
          graph.visit(
              v, [&](unsigned other) { sum += double(rank->host[other]) * inverse->host[other]; });
          return 1 - kTraversalsDamping + kTraversalsDamping * sum;
        });
      }};
}

inline Problem traversals_labels_problem(unsigned n) {
  const TraversalsGraph graph = traversals_graph(n);
  auto labels =
      array<unsigned char>(n, [](unsigned v) { return mixed(v + 7) % kTraversalsLabels; });
  auto out = room<unsigned char>(n);
  return Problem{[=] {
                   traversals_labels<<<blocks_of(n, 512), 512>>>(graph.starts->data(),
                                                                 graph.neighbours->data(),
                                                                 labels->data(), out->data(), n);
                 },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned v) {
                         unsigned counts[kTraversalsLabels] = {};
                         graph.visit(v, [&](unsigned other) { ++counts[labels->host[other]]; });
                         return std::max_element(counts, counts + kTraversalsLabels) - counts;
                       },
                       0);
                 }};
}

inline void add_traversals(Set& set) {
  const std::vector<unsigned> sizes = {2000, 60000, 300001};  // vertices
  set.add("traversals_levels", sizes, traversals_levels_problem);
  set.add("traversals_relax", sizes, traversals_relax_problem);
  set.add("traversals_rank", sizes, traversals_rank_problem);
  set.add("traversals_labels", sizes, traversals_labels_problem);
}

}  // namespace timing_set
