// SPDX-License-Identifier: MIT
// One step of some algorithms on a graph in compressed rows: breadth-first search from a queue of
// vertices, which appends to the next queue; the same search by each vertex that was not found yet,
// which looks among its neighbours; PageRank by a warp for each vertex; and Bellman and Ford's by a
// thread for each edge. Some vertices have far more edges than most.
#pragma once

#include <climits>

#include "../set.cuh"

namespace timing_set {

constexpr float kGraphsDamping = 0.85f;
constexpr int kGraphsFar = INT_MAX;  // the distance of what was not reached

__global__ void graphs_queue(const unsigned* offsets, const unsigned* targets,
                             const unsigned* queue, unsigned length, int* levels, int level,
                             unsigned* next, unsigned* count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const unsigned vertex = queue[i];
  for (unsigned e = offsets[vertex]; e < offsets[vertex + 1]; ++e) {
    const unsigned target = targets[e];
    if (atomicCAS(&levels[target], -1, level) == -1) next[atomicAdd(count, 1u)] = target;
  }
}

__global__ void graphs_look(const unsigned* offsets, const unsigned* targets,
                            const unsigned char* found, const unsigned char* frontier,
                            unsigned char* next, unsigned vertices) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= vertices) return;
  unsigned char reached = 0;
  if (!found[vertex]) {
    for (unsigned e = offsets[vertex]; e < offsets[vertex + 1]; ++e) {
      if (frontier[targets[e]]) {
        reached = 1;
        break;
      }
    }
  }
  next[vertex] = reached;
}

__global__ void graphs_rank(const unsigned* offsets, const unsigned* sources, const float* rank,
                            const int* degree, float* next, unsigned vertices) {
  const unsigned vertex = thread_number() / 32, lane = threadIdx.x % 32;
  if (vertex >= vertices) return;
  float sum = 0;
  for (unsigned e = offsets[vertex] + lane; e < offsets[vertex + 1]; e += 32) {
    const unsigned source = sources[e];
    sum += rank[source] / static_cast<float>(degree[source]);
  }
  sum = warp_sum(sum);
  if (lane == 0)
    next[vertex] = (1 - kGraphsDamping) / static_cast<float>(vertices) + kGraphsDamping * sum;
}

__global__ void graphs_relax(const unsigned* sources, const unsigned* targets, const int* weights,
                             const int* distance, int* next, unsigned edges) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < edges) {
    const int from = distance[sources[e]];
    if (from != kGraphsFar) {
      const unsigned target = targets[e];
      const int length = from + weights[e];
      if (length < distance[target]) atomicMin(&next[target], length);
    }
  }
}

// Half of the edges lead to vertices nearby.
struct GraphsRows {
  Shared<unsigned> offsets, targets;
  unsigned vertices;
  template <class Each>
  void each(unsigned vertex, Each each) const {
    for (unsigned e = offsets->host[vertex]; e < offsets->host[vertex + 1]; ++e)
      each(targets->host[e], e);
  }
};
inline GraphsRows graphs_rows(unsigned vertices, unsigned times) {
  std::vector<unsigned> offsets(vertices + 1), targets;
  for (unsigned vertex = 0; vertex < vertices; ++vertex) {
    const unsigned x = mixed(2 * vertex + 41);
    const unsigned degree = x % 32 == 0 ? 64 + x / 32 % 128 : 4 + x / 32 % 8;
    offsets[vertex + 1] = offsets[vertex] + degree * times;
  }
  targets.reserve(offsets[vertices]);
  for (unsigned vertex = 0; vertex < vertices; ++vertex)
    for (unsigned e = offsets[vertex]; e < offsets[vertex + 1]; ++e) {
      const unsigned x = mixed(e + 42);
      targets.push_back((x % 2 ? x / 2 : vertex + 1 + x / 2 % 64) % vertices);
    }
  return {array(std::move(offsets)), array(std::move(targets)), vertices};
}

inline Problem graphs_queue_problem(unsigned n) {
  const GraphsRows graph = graphs_rows(n, 1);
  auto levels = array<int>(n, [](unsigned i) {
    const unsigned x = mixed(i + 43) % 6;
    return x < 2 ? static_cast<int>(x) : -1;
  });
  std::vector<unsigned> last;
  for (unsigned i = 0; i < n; ++i)
    if (levels->host[i] == 1) last.push_back(i);
  auto queue = array(std::move(last));
  auto next = room<unsigned>(n);
  auto count = room<unsigned>(1);
  clear(count);
  const unsigned length = queue->size();
  return Problem{[=] {
                   graphs_queue<<<blocks_of(length, 128), 128>>>(
                       graph.offsets->data(), graph.targets->data(), queue->data(), length,
                       levels->data(), 2, next->data(), count->data());
                 },
                 [=] {
                   std::vector<int> wanted = levels->host;
                   unsigned reached = 0;
                   for (const unsigned vertex : queue->host)
                     graph.each(vertex, [&](unsigned target, unsigned) {
                       if (wanted[target] != -1) return;
                       wanted[target] = 2;
                       ++reached;
                     });
                   if (levels->device.download() != wanted) return false;
                   if (count->device.download()[0] != reached) return false;
                   const std::vector<unsigned> got = next->device.download();
                   for (unsigned i = 0; i < reached; ++i) {
                     if (got[i] >= n || wanted[got[i]] != 2) return false;
                     wanted[got[i]] = 3;  // not a second time
                   }
                   return true;
                 },
                 [=] {
                   levels->restore();
                   clear(count);
                 }};
}

inline Problem graphs_look_problem(unsigned n) {
  const GraphsRows graph = graphs_rows(n, 1);
  auto found = array<unsigned char>(n, [](unsigned i) { return mixed(i + 44) % 16 < 4; });
  auto frontier = array<unsigned char>(n, [](unsigned i) { return mixed(i + 44) % 16 == 0; });
  auto next = room<unsigned char>(n);
  return Problem{[=] {
                   graphs_look<<<blocks_of(n), kBlock>>>(graph.offsets->data(),
                                                         graph.targets->data(), found->data(),
                                                         frontier->data(), next->data(), n);
                 },
                 [=] {
                   return agrees(
                       next,
                       [&](unsigned vertex) {
                         bool reached = false;
                         graph.each(vertex, [&](unsigned target, unsigned) {
                           reached = reached || frontier->host[target];
                         });
                         return reached && !found->host[vertex] ? 1 : 0;
                       },
                       1e-9);
                 }};
}

inline Problem graphs_rank_problem(unsigned n) {
  const GraphsRows graph = graphs_rows(n, 8);
  auto rank = uniform(n, 45);
  auto degree = array<int>(n, [](unsigned i) { return static_cast<int>(1 + mixed(i + 46) % 100); });
  auto next = room<float>(n);
  return Problem{[=] {
                   graphs_rank<<<blocks_of(n * 32, 512), 512>>>(graph.offsets->data(),
                                                                graph.targets->data(), rank->data(),
                                                                degree->data(), next->data(), n);
                 },
                 [=] {
                   return agrees(next, [&](unsigned vertex) {
                     double sum = 0;
                     graph.each(vertex, [&](unsigned source, unsigned) {
                       sum += rank->host[source] / static_cast<double>(degree->host[source]);
                     });
                     return (1.0 - kGraphsDamping) / n + kGraphsDamping * sum;
                   });
                 }};
}

inline Problem graphs_relax_problem(unsigned n) {
  const GraphsRows graph = graphs_rows(n, 1);
  const unsigned edges = graph.targets->size();
  std::vector<unsigned> from(edges);
  for (unsigned vertex = 0; vertex < n; ++vertex)
    graph.each(vertex, [&](unsigned, unsigned e) { from[e] = vertex; });
  auto sources = array(std::move(from));
  auto weights =
      array<int>(edges, [](unsigned e) { return static_cast<int>(1 + mixed(e + 47) % 50); });
  auto distance = array<int>(n, [](unsigned i) {
    const unsigned x = mixed(i + 48);
    return x % 3 == 0 ? kGraphsFar : static_cast<int>(x / 4 % 200);
  });
  auto next = array(distance->host);
  return Problem{[=] {
                   graphs_relax<<<blocks_of(edges, 1024), 1024>>>(
                       sources->data(), graph.targets->data(), weights->data(), distance->data(),
                       next->data(), edges);
                 },
                 [=] {
                   std::vector<int> wanted = distance->host;
                   for (unsigned e = 0; e < edges; ++e) {
                     const int start = distance->host[sources->host[e]];
                     int& end = wanted[graph.targets->host[e]];
                     if (start != kGraphsFar) end = std::min(end, start + weights->host[e]);
                   }
                   return next->device.download() == wanted;
                 },
                 [=] { next->restore(); }};
}

inline void add_graphs(Set& set) {
  const std::vector<unsigned> vertices = {1500, 250000, 1200000};
  set.add("graphs_queue", vertices, graphs_queue_problem);
  set.add("graphs_look", vertices, graphs_look_problem);
  set.add("graphs_rank", {400, 40000, 180001}, graphs_rank_problem);
  set.add("graphs_relax", vertices, graphs_relax_problem);
}

}  // namespace timing_set
