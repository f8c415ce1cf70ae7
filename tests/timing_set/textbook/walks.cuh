// SPDX-License-Identifier: MIT
// Steps over a graph in compressed rows, whose degrees are skewed: a PageRank step that pulls with a thread or with eight
// lanes a vertex, or pushes with atomics; and a level of a breadth-first search from a queue to the next one, which each
// block gathers in shared memory first.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kWalksDamping = 0.85f;
constexpr unsigned kWalksUnseen = ~0u;

__global__ void walks_pull(const unsigned* starts, const unsigned* sources, const float* rank,
                           const unsigned* degree, float* next, unsigned vertices) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  float sum = 0;
  for (unsigned e = starts[v]; e < starts[v + 1]; ++e) {
    const unsigned u = sources[e];
    sum += rank[u] / degree[u];
  }
  next[v] = (1 - kWalksDamping) + kWalksDamping * sum;
}

__global__ void walks_push(const unsigned* __restrict__ starts,
                           const unsigned* __restrict__ targets, const float* __restrict__ rank,
                           float* next, unsigned vertices) {
  const unsigned v = thread_number();
  if (v < vertices) {
    const unsigned begin = starts[v], end = starts[v + 1];
    const float share = kWalksDamping * rank[v] / (end - begin);
    for (unsigned e = begin; e < end; ++e) atomicAdd(&next[targets[e]], share);
  }
}

template <unsigned kLanes>
__global__ void walks_lanes(const unsigned* __restrict__ starts,
                            const unsigned* __restrict__ sources, const float* __restrict__ share,
                            float* __restrict__ next, unsigned vertices) {
  const unsigned v = thread_number() / kLanes, lane = threadIdx.x % kLanes;
  float sum = 0;
  if (v < vertices) {
    const unsigned end = __ldg(&starts[v + 1]);
    for (unsigned e = __ldg(&starts[v]) + lane; e < end; e += kLanes)
      sum += __ldg(&share[__ldg(&sources[e])]);
  }
#pragma unroll
  for (unsigned d = kLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(kAll, sum, d, kLanes);
  if (v < vertices && lane == 0) next[v] = (1 - kWalksDamping) + kWalksDamping * sum;
}

constexpr unsigned kWalksQueue = 1024;  // found by a block; more go to the global queue directly

__global__ void walks_level(const unsigned* starts, const unsigned* targets, const unsigned* queue,
                            unsigned queued, unsigned* level, unsigned depth, unsigned* next,
                            unsigned* next_count) {
  __shared__ unsigned found[kWalksQueue];
  __shared__ unsigned found_count, base;
  if (threadIdx.x == 0) found_count = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < queued) {
    const unsigned v = queue[i];
    for (unsigned e = starts[v]; e < starts[v + 1]; ++e) {
      const unsigned u = targets[e];
      if (atomicCAS(&level[u], kWalksUnseen, depth) == kWalksUnseen) {
        const unsigned place = atomicAdd(&found_count, 1u);
        if (place < kWalksQueue)
          found[place] = u;
        else
          next[atomicAdd(next_count, 1u)] = u;
      }
    }
  }
  __syncthreads();
  const unsigned kept = min(found_count, kWalksQueue);
  if (threadIdx.x == 0) base = atomicAdd(next_count, kept);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kept; k += blockDim.x) next[base + k] = found[k];
}

struct WalksGraph {
  Shared<unsigned> starts, ends;  // of a vertex's edges; where each edge leads
  unsigned degree(unsigned v) const { return starts->host[v + 1] - starts->host[v]; }
};

// Some vertices have hundreds of edges, most about ten. Half of the edges lead to vertices nearby, the others anywhere,
// and more often to those of small number.
inline WalksGraph walks_graph(unsigned vertices) {
  std::vector<unsigned> starts(vertices + 1), ends;
  for (unsigned v = 0; v < vertices; ++v) {
    const double u = (mixed(v + 17) >> 8) / 16777216.0;
    starts[v + 1] = starts[v] + 6 + static_cast<unsigned>(3.6 * std::pow(u + 1e-3, -0.75));
  }
  ends.resize(starts[vertices]);
  for (unsigned v = 0; v < vertices; ++v)
    for (unsigned e = starts[v]; e < starts[v + 1]; ++e) {
      const unsigned r = mixed(e + 99);
      const double u = (mixed(r) >> 8) / 16777216.0;
      ends[e] =
          r % 2 == 0 ? (v + 1 + r / 2 % 300) % vertices : static_cast<unsigned>(u * u * vertices);
    }
  return {array(std::move(starts)), array(std::move(ends))};
}

// How many of the edges lead to each vertex; at least one.
inline Shared<unsigned> walks_arrivals(const WalksGraph& graph) {
  std::vector<unsigned> count(graph.starts->size() - 1);
  for (unsigned v : graph.ends->host) ++count[v];
  for (unsigned& c : count) c = std::max(c, 1u);
  return array(std::move(count));
}

template <class Share>
bool walks_pulled(const Shared<float>& next, const WalksGraph& graph, Share share) {
  return agrees(next, [&](unsigned v) {
    double sum = 0;
    for (unsigned e = graph.starts->host[v]; e < graph.starts->host[v + 1]; ++e)
      sum += share(graph.ends->host[e]);
    return 0.15 + 0.85 * sum;
  });
}

inline Problem walks_pull_problem(unsigned vertices) {
  const WalksGraph graph = walks_graph(vertices);
  auto degree = walks_arrivals(graph);
  auto rank = uniform(vertices, 41), next = room<float>(vertices);
  return Problem{[=] {
                   walks_pull<<<blocks_of(vertices), kBlock>>>(
                       graph.starts->data(), graph.ends->data(), rank->data(), degree->data(),
                       next->data(), vertices);
                 },
                 [=] {
                   return walks_pulled(next, graph, [&](unsigned u) {
                     return double(rank->host[u]) / degree->host[u];
                   });
                 }};
}

inline Problem walks_push_problem(unsigned vertices) {
  const WalksGraph graph = walks_graph(vertices);
  auto rank = uniform(vertices, 42);
  auto next = array<float>(vertices, [](unsigned) { return 1 - kWalksDamping; });
  return Problem{[=] {
                   walks_push<<<blocks_of(vertices, 128), 128>>>(graph.starts->data(),
                                                                 graph.ends->data(), rank->data(),
                                                                 next->data(), vertices);
                 },
                 [=] {
                   std::vector<double> wanted(vertices, 0.15);
                   for (unsigned v = 0; v < vertices; ++v)
                     for (unsigned e = graph.starts->host[v]; e < graph.starts->host[v + 1]; ++e)
                       wanted[graph.ends->host[e]] += 0.85 * rank->host[v] / graph.degree(v);
                   return agrees(
                       next, [&](unsigned v) { return wanted[v]; }, 1e-3);
                 },
                 [=] { next->restore(); }};
}

inline Problem walks_lanes_problem(unsigned vertices) {
  constexpr unsigned kLanes = 8;
  const WalksGraph graph = walks_graph(vertices);
  auto degree = walks_arrivals(graph);
  auto share = array<float>(
      vertices, [&](unsigned u) { return (mixed(u + 5) >> 16) / 65536.0f / degree->host[u]; });
  auto next = room<float>(vertices);
  return Problem{
      [=] {
        walks_lanes<kLanes><<<blocks_of(std::size_t{vertices} * kLanes, 512), 512>>>(
            graph.starts->data(), graph.ends->data(), share->data(), next->data(), vertices);
      },
      [=] { return walks_pulled(next, graph, [&](unsigned u) { return share->host[u]; }); }};
}

inline Problem walks_level_problem(unsigned vertices) {
  const WalksGraph graph = walks_graph(vertices);
  // The whole search; then back to where the queue was longest.
  std::vector<unsigned> level(vertices, kWalksUnseen), queue = {vertices / 2}, longest;
  level[vertices / 2] = 0;
  unsigned depth = 0;
  for (unsigned d = 1; !queue.empty(); ++d) {
    if (queue.size() > longest.size()) {
      longest = queue;
      depth = d;
    }
    std::vector<unsigned> next;
    for (unsigned v : queue)
      for (unsigned e = graph.starts->host[v]; e < graph.starts->host[v + 1]; ++e)
        if (unsigned& of = level[graph.ends->host[e]]; of == kWalksUnseen) {
          of = d;
          next.push_back(graph.ends->host[e]);
        }
    queue = std::move(next);
  }
  auto now = array<unsigned>(
      vertices, [&](unsigned v) { return level[v] < depth ? level[v] : kWalksUnseen; });
  auto from = array(std::move(longest));
  auto next = room<unsigned>(vertices), count = array(std::vector<unsigned>(1));
  return Problem{
      [=] {
        walks_level<<<blocks_of(from->size()), kBlock>>>(graph.starts->data(), graph.ends->data(),
                                                         from->data(), from->size(), now->data(),
                                                         depth, next->data(), count->data());
      },
      [=] {
        std::vector<unsigned> wanted;
        for (unsigned v = 0; v < vertices; ++v)
          if (level[v] == depth) wanted.push_back(v);
        if (count->device.download()[0] != wanted.size()) return false;
        std::vector<unsigned> got = next->device.download(wanted.size());
        std::sort(got.begin(), got.end());
        return got == wanted &&
               agrees(
                   now, [&](unsigned v) { return level[v] <= depth ? level[v] : kWalksUnseen; }, 0);
      },
      [=] {
        now->restore();
        clear(count);
      }};
}

inline void add_walks(Set& set) {
  const std::vector<unsigned> sizes = {2000, 150000, 600000};  // vertices
  set.add("walks_pull", sizes, walks_pull_problem);
  set.add("walks_push", sizes, walks_push_problem);
  set.add("walks_lanes", sizes, walks_lanes_problem);
  set.add("walks_level", sizes, walks_level_problem);
}

}  // namespace timing_set
