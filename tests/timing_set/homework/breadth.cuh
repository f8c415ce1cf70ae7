// SPDX-License-Identifier: MIT
// Breadth first: one level of a search in a graph of n vertices with 16 neighbours on average, in
// CSR, undirected: by vertices that look for a parent, by edges, from a queue, by warps.
#pragma once
#include "../set.cuh"

namespace timing_set {

// `before` are the levels so far, -1 for none; `after` get those that `level` reaches as well.
__global__ void breadth_pull(const int* __restrict__ first, const int* __restrict__ neighbours,
                             const int* __restrict__ before, int* __restrict__ after, int level,
                             int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int mine = before[v];
  if (mine < 0) {
    const int end = first[v + 1];
    for (int i = first[v]; i < end; ++i)
      if (before[neighbours[i]] == level) {
        mine = level + 1;
        break;
      }
  }
  after[v] = mine;
}

// Here and below `after` is at first as `before`.
__global__ void breadth_edges(const int2* edges, const int* before, int* after, int level,
                              int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int2 edge = edges[i];
  if (before[edge.x] == level && before[edge.y] < 0) atomicExch(&after[edge.y], level + 1);
}

// A thread per vertex of the queue; who reaches a vertex first puts it into the next queue.
__global__ void breadth_queue(const int* first, const int* neighbours, const int* before,
                              int* after, const int* queue, int queued, int* next, int* next_count,
                              int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queued) return;
  const int v = queue[i];
  for (int k = first[v]; k < first[v + 1]; ++k) {
    const int w = neighbours[k];
    if (before[w] < 0 && atomicCAS(&after[w], -1, level + 1) == -1)
      next[atomicAdd(next_count, 1)] = w;
  }
}

__global__ void breadth_warps(const int* __restrict__ first, const int* __restrict__ neighbours,
                              const int* __restrict__ before, int* after, int level, int n) {
  const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (v >= n || before[v] != level) return;
  const int end = first[v + 1];
  for (int i = first[v] + lane; i < end; i += 32) {
    const int w = neighbours[i];
    if (before[w] < 0) atomicExch(&after[w], level + 1);
  }
}

struct BreadthSearch {
  std::vector<int> first, neighbours;  // the graph
  std::vector<int> before, after;      // levels
  std::vector<int> queue, next;        // vertices of the level and of the next
  int level = 0;
};
inline std::vector<int> breadth_step(BreadthSearch& search, std::vector<int>& levels) {
  std::vector<int> next;
  for (const int v : search.queue)
    for (int i = search.first[v]; i < search.first[v + 1]; ++i) {
      const int w = search.neighbours[i];
      if (levels[w] >= 0) continue;
      levels[w] = search.level + 1;
      next.push_back(w);
    }
  return next;
}
// A random graph, in which some vertices have many neighbours, searched from vertex 0 up to the
// first level with a twentieth of the vertices.
inline std::shared_ptr<const BreadthSearch> breadth_search(unsigned n) {
  std::vector<int2> edges;
  for (unsigned v = 0; v < n; ++v) {
    const double u = mixed(v + 999) / 4294967296.0;
    const unsigned count = 2 + static_cast<unsigned>(31 * u * u * u * u);
    for (unsigned k = 0; k < count; ++k) {
      const double to = mixed(64 * v + k) / 4294967296.0;
      const std::uint64_t target = static_cast<std::uint64_t>(n * to * std::sqrt(std::sqrt(to)));
      edges.push_back({static_cast<int>(v), static_cast<int>(target * 7919 % n)});
    }
  }
  auto search = std::make_shared<BreadthSearch>();
  search->first.assign(n + 1, 0);
  for (const int2 edge : edges) ++search->first[edge.x + 1], ++search->first[edge.y + 1];
  for (unsigned v = 0; v < n; ++v) search->first[v + 1] += search->first[v];
  search->neighbours.resize(2 * edges.size());
  std::vector<int> place = search->first;
  for (const int2 edge : edges) {
    search->neighbours[place[edge.x]++] = edge.y;
    search->neighbours[place[edge.y]++] = edge.x;
  }
  search->before.assign(n, -1);
  search->before[0] = 0;
  search->queue = {0};
  while (search->queue.size() < n / 20) {
    search->queue = breadth_step(*search, search->before);
    ++search->level;
  }
  search->after = search->before;
  search->next = breadth_step(*search, search->after);
  std::sort(search->next.begin(), search->next.end());
  return search;
}
inline bool breadth_right(const BreadthSearch& search, const Shared<int>& after) {
  return agrees(
      after, [&](unsigned v) { return search.after[v]; }, 0);
}

inline void add_breadth(Set& set) {
  const std::vector<unsigned> sizes = {20000, 500000};
  set.add("breadth_pull", sizes, [](unsigned n) {
    auto search = breadth_search(n);
    auto first = array(search->first), neighbours = array(search->neighbours);
    auto before = array(search->before), after = room<int>(n);
    return Problem{[=] {
                     breadth_pull<<<blocks_of(n), kBlock>>>(first->data(), neighbours->data(),
                                                            before->data(), after->data(),
                                                            search->level, n);
                   },
                   [=] { return breadth_right(*search, after); }};
  });
  set.add("breadth_edges", sizes, [](unsigned n) {
    auto search = breadth_search(n);
    std::vector<int2> listed;
    for (unsigned v = 0; v < n; ++v)
      for (int i = search->first[v]; i < search->first[v + 1]; ++i)
        listed.push_back({static_cast<int>(v), search->neighbours[i]});
    auto edges = array(std::move(listed));
    auto before = array(search->before), after = array(search->before);
    return Problem{[=] {
                     breadth_edges<<<blocks_of(edges->size(), 512), 512>>>(
                         edges->data(), before->data(), after->data(), search->level,
                         edges->size());
                   },
                   [=] { return breadth_right(*search, after); }, [=] { after->restore(); }};
  });
  set.add("breadth_queue", sizes, [](unsigned n) {
    auto search = breadth_search(n);
    auto first = array(search->first), neighbours = array(search->neighbours);
    auto before = array(search->before), after = array(search->before);
    auto queue = array(search->queue), next = room<int>(n), next_count = room<int>(1);
    return Problem{[=] {
                     breadth_queue<<<blocks_of(queue->size(), 128), 128>>>(
                         first->data(), neighbours->data(), before->data(), after->data(),
                         queue->data(), queue->size(), next->data(), next_count->data(),
                         search->level);
                   },
                   [=] {
                     std::vector<int> got = next->device.download();
                     got.resize(std::min<unsigned>(n, next_count->device.download()[0]));
                     std::sort(got.begin(), got.end());
                     return got == search->next && breadth_right(*search, after);
                   },
                   [=] { after->restore(), clear(next_count); }};
  });
  set.add("breadth_warps", sizes, [](unsigned n) {
    auto search = breadth_search(n);
    auto first = array(search->first), neighbours = array(search->neighbours);
    auto before = array(search->before), after = array(search->before);
    return Problem{[=] {
                     breadth_warps<<<blocks_of(n, 8), 256>>>(first->data(), neighbours->data(),
                                                             before->data(), after->data(),
                                                             search->level, n);
                   },
                   [=] { return breadth_right(*search, after); }, [=] { after->restore(); }};
  });
}

}  // namespace timing_set
