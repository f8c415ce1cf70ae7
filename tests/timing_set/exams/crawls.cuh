// SPDX-License-Identifier: MIT
// Steps through a graph whose edges go both ways, with the neighbours of each vertex in a list
// (CSR). Three kernels are a step of PageRank: each thread pulls for a vertex, each warp does, and
// each thread pushes to the neighbours of one with atomics. Three are a level of a breadth-first
// search: a thread for every vertex of the graph, a warp for every vertex in a queue, which makes
// the next queue, and from the other side, where unseen vertices look for a neighbour in the level.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kCrawlsJump = 0.15f;  // ranks have a mean of 1

__global__ void crawls_pull(const unsigned* starts, const unsigned* neighbours, const float* ranks,
                            float* out, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  float sum = 0;
  for (unsigned e = starts[v]; e < starts[v + 1]; ++e) {
    const unsigned u = neighbours[e];
    sum += ranks[u] / (starts[u + 1] - starts[u]);
  }
  out[v] = kCrawlsJump + (1 - kCrawlsJump) * sum;
}

// The shares are the ranks divided by the degrees.
__global__ void crawls_pull_warp(const unsigned* __restrict__ starts,
                                 const unsigned* __restrict__ neighbours,
                                 const float* __restrict__ shares, float* __restrict__ out,
                                 unsigned n) {
  const unsigned v = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (v >= n) return;
  float sum = 0;
  const unsigned end = starts[v + 1];
  for (unsigned e = starts[v] + lane; e < end; e += 32) sum += shares[neighbours[e]];
  sum = warp_sum(sum);
  if (lane == 0) out[v] = kCrawlsJump + (1 - kCrawlsJump) * sum;
}

// What every vertex has without its neighbours is there already.
__global__ void crawls_push(const unsigned* starts, const unsigned* neighbours, const float* ranks,
                            float* out, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  const unsigned first = starts[v], end = starts[v + 1];
  if (first == end) return;
  const float share = (1 - kCrawlsJump) * ranks[v] / (end - first);
  for (unsigned e = first; e < end; ++e) atomicAdd(&out[neighbours[e]], share);
}

constexpr int kCrawlsUnseen = -1;

__global__ void crawls_level(const unsigned* starts, const unsigned* neighbours, int* levels,
                             int level, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || levels[v] != level) return;
  for (unsigned e = starts[v]; e < starts[v + 1]; ++e) {
    const unsigned u = neighbours[e];
    if (levels[u] == kCrawlsUnseen) atomicCAS(&levels[u], kCrawlsUnseen, level + 1);
  }
}

// Who turns a vertex from unseen to seen also puts it into the queue: it is there once.
__global__ void crawls_queue(const unsigned* __restrict__ starts,
                             const unsigned* __restrict__ neighbours,
                             const unsigned* __restrict__ queue, unsigned queued, int* levels,
                             int level, unsigned* next, unsigned* count) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (warp >= queued) return;
  const unsigned v = queue[warp], end = starts[v + 1];
  for (unsigned e = starts[v] + lane; e < end; e += 32) {
    const unsigned u = neighbours[e];
    if (atomicCAS(&levels[u], kCrawlsUnseen, level + 1) == kCrawlsUnseen)
      next[atomicAdd(count, 1)] = u;
  }
}

constexpr unsigned char kCrawlsHidden = 255;  // unseen, as a byte

__global__ void crawls_upwards(const unsigned* __restrict__ starts,
                               const unsigned* __restrict__ neighbours,
                               const unsigned char* __restrict__ levels,
                               unsigned char* __restrict__ out, unsigned char level, unsigned n) {
  const unsigned step = gridDim.x * blockDim.x;
  for (unsigned v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += step) {
    unsigned char mine = levels[v];
    if (mine == kCrawlsHidden) {
      const unsigned end = starts[v + 1];
      for (unsigned e = starts[v]; e < end; ++e) {
        if (levels[neighbours[e]] == level) {
          mine = level + 1;
          break;
        }
      }
    }
    out[v] = mine;
  }
}

// Vertex v has some edges of its own, few vertices many. Half of them end near v, half anywhere.
template <class Visit>
void crawls_edges(unsigned n, Visit visit) {
  unsigned edge = 0;
  for (unsigned v = 0; v < n; ++v) {
    const double luck = (mixed(v) >> 16) / 65536.0;
    const unsigned own = static_cast<unsigned>(3 + 2.5 / (luck + 0.04));
    for (unsigned k = 0; k < own; ++k, ++edge) {
      const unsigned random = mixed(edge ^ 0x5a000000u);
      const unsigned near_by = v + 1 + (random >> 8) % 100;
      visit(v, (random % 2 == 0 ? near_by : random >> 1) % n);
    }
  }
}

struct CrawlsGraph {
  explicit CrawlsGraph(unsigned vertices) : n(vertices) {
    std::vector<unsigned> first(n + 1);
    crawls_edges(n, [&](unsigned v, unsigned u) { ++first[v], ++first[u]; });
    unsigned sum = 0;
    for (unsigned& f : first) sum += std::exchange(f, sum);
    starts = array(first);
    std::vector<unsigned> list(sum);
    crawls_edges(n, [&](unsigned v, unsigned u) {
      list[first[v]++] = u;
      list[first[u]++] = v;
    });
    neighbours = array(std::move(list));
  }
  unsigned degree(unsigned v) const { return starts->host[v + 1] - starts->host[v]; }
  template <class Visit>
  void neighbours_of(unsigned v, Visit visit) const {
    for (unsigned e = starts->host[v]; e < starts->host[v + 1]; ++e) visit(neighbours->host[e]);
  }
  unsigned n;
  Shared<unsigned> starts, neighbours;
};

// A search that has come to the level that brings the vertices it has seen to a quarter of all.
struct CrawlsSearch {
  explicit CrawlsSearch(const CrawlsGraph& graph) : levels(graph.n, kCrawlsUnseen), queue{0} {
    levels[0] = 0;
    for (std::size_t seen = 1; seen < graph.n / 4; seen += queue.size()) queue = advance(graph);
    std::sort(queue.begin(), queue.end());
    std::vector<int> now = levels;
    const int now_level = level;
    next = advance(graph);
    std::sort(next.begin(), next.end());
    wanted = std::exchange(levels, std::move(now));
    level = now_level;
  }
  std::vector<unsigned> advance(const CrawlsGraph& graph) {
    std::vector<unsigned> found;
    ++level;
    for (unsigned v : queue)
      graph.neighbours_of(v, [&](unsigned u) {
        if (levels[u] != kCrawlsUnseen) return;
        levels[u] = level;
        found.push_back(u);
      });
    return found;
  }
  int level = 0;
  std::vector<int> levels, wanted;    // before the step, and after it
  std::vector<unsigned> queue, next;  // those of the level, and of the next
};

// A rank for each vertex, all about 1.
inline Shared<float> crawls_ranks(unsigned n) {
  return array<float>(n, [](unsigned i) { return 0.5 + (mixed(i + 99) >> 16) / 65536.0; });
}

inline bool crawls_ranked(const Shared<float>& out, const CrawlsGraph& graph,
                          const std::vector<float>& ranks) {
  return agrees(
      out,
      [&](unsigned v) {
        double sum = 0;
        graph.neighbours_of(
            v, [&](unsigned u) { sum += static_cast<double>(ranks[u]) / graph.degree(u); });
        return kCrawlsJump + (1 - kCrawlsJump) * sum;
      },
      1e-5);
}

inline void crawls_add_ranks(Set& set, const std::vector<unsigned>& sizes) {
  set.add("crawls_pull", sizes, [](unsigned n) {
    auto graph = std::make_shared<CrawlsGraph>(n);
    auto ranks = crawls_ranks(n), out = room<float>(n);
    return Problem{[=] {
                     crawls_pull<<<blocks_of(n, 256), 256>>>(graph->starts->data(),
                                                             graph->neighbours->data(),
                                                             ranks->data(), out->data(), n);
                   },
                   [=] { return crawls_ranked(out, *graph, ranks->host); }};
  });
  set.add("crawls_pull_warp", sizes, [](unsigned n) {
    auto graph = std::make_shared<CrawlsGraph>(n);
    auto ranks = crawls_ranks(n), out = room<float>(n);
    auto shares = array<float>(n, [&](unsigned v) { return ranks->host[v] / graph->degree(v); });
    return Problem{[=] {
                     crawls_pull_warp<<<blocks_of(n, 4), 128>>>(graph->starts->data(),
                                                                graph->neighbours->data(),
                                                                shares->data(), out->data(), n);
                   },
                   [=] { return crawls_ranked(out, *graph, ranks->host); }};
  });
  set.add("crawls_push", sizes, [](unsigned n) {
    auto graph = std::make_shared<CrawlsGraph>(n);
    auto ranks = crawls_ranks(n), out = array<float>(n, [](unsigned) { return kCrawlsJump; });
    return Problem{
        [=] {
          crawls_push<<<blocks_of(n, 64), 64>>>(graph->starts->data(), graph->neighbours->data(),
                                                ranks->data(), out->data(), n);
        },
        [=] { return crawls_ranked(out, *graph, ranks->host); }, [=] { out->restore(); }};
  });
}

inline void crawls_add_queue(Set& set, const std::vector<unsigned>& sizes) {
  set.add("crawls_queue", sizes, [](unsigned n) {
    auto graph = std::make_shared<CrawlsGraph>(n);
    auto search = std::make_shared<CrawlsSearch>(*graph);
    auto levels = array(search->levels);
    auto queue = array(search->queue), next = room<unsigned>(n), count = room<unsigned>(1);
    clear(count);
    return Problem{[=] {
                     crawls_queue<<<blocks_of(queue->size(), 16), 512>>>(
                         graph->starts->data(), graph->neighbours->data(), queue->data(),
                         queue->size(), levels->data(), search->level, next->data(), count->data());
                   },
                   [=] {
                     const unsigned found = count->device.download()[0];
                     if (found != search->next.size()) return false;
                     std::vector<unsigned> got = next->device.download();
                     got.resize(found);
                     std::sort(got.begin(), got.end());
                     return got == search->next && levels->device.download() == search->wanted;
                   },
                   [=] {
                     levels->restore();
                     clear(count);
                   }};
  });
}

inline void add_crawls(Set& set) {
  const std::vector<unsigned> sizes = {1203, 200'003, 800'011};
  crawls_add_ranks(set, sizes);
  set.add("crawls_level", sizes, [](unsigned n) {
    auto graph = std::make_shared<CrawlsGraph>(n);
    auto search = std::make_shared<CrawlsSearch>(*graph);
    auto levels = array(search->levels);
    return Problem{
        [=] {
          crawls_level<<<blocks_of(n, 1024), 1024>>>(
              graph->starts->data(), graph->neighbours->data(), levels->data(), search->level, n);
        },
        [=] { return levels->device.download() == search->wanted; }, [=] { levels->restore(); }};
  });
  crawls_add_queue(set, sizes);
  set.add("crawls_upwards", sizes, [](unsigned n) {
    auto graph = std::make_shared<CrawlsGraph>(n);
    auto search = std::make_shared<CrawlsSearch>(*graph);
    // An unseen vertex, -1, becomes the byte 255.
    auto levels = array<unsigned char>(n, [&](unsigned v) { return search->levels[v]; });
    auto out = room<unsigned char>(n);
    return Problem{[=] {
                     crawls_upwards<<<std::min(blocks_of(n, 256), 4u * 132), 256>>>(
                         graph->starts->data(), graph->neighbours->data(), levels->data(),
                         out->data(), static_cast<unsigned char>(search->level), n);
                   },
                   [=] {
                     const std::vector<unsigned char> got = out->device.download();
                     return std::equal(
                         got.begin(), got.end(), search->wanted.begin(),
                         [](unsigned char g, int w) { return g == static_cast<unsigned char>(w); });
                   }};
  });
}

}  // namespace timing_set
