// SPDX-License-Identifier: MIT
// What lesson 13 is made of: the forest that all threads build, alone and under many schedules; clusters that
// are measured and named.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "lessons/13_point_cloud/clusters.cuh"
#include "lessons/13_point_cloud/union_find.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::DeviceBuffer;
using lesson13::Forest;

namespace {

using Edge = uint2;

__global__ void unite_all(Forest forest, const Edge* edges, unsigned n, unsigned* joined) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && forest.unite(edges[i].x, edges[i].y)) atomicAdd(joined, 1u);
}
__global__ void roots_of_all(Forest forest, unsigned n, unsigned* roots) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) roots[i] = forest.settled_root(i);
}
// Looks for a root and hangs it under the other one, as if nobody else did so at the same time.
__global__ void unite_carelessly(unsigned* parents, const Edge* edges, unsigned n) {
  using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Forest forest{parents};
  const unsigned a = forest.root(edges[i].x), b = forest.root(edges[i].y);
  if (a != b) Word(parents[max(a, b)]).store(min(a, b), cuda::memory_order_relaxed);
}

struct Graph {
  unsigned nodes;
  std::vector<Edge> edges;
};
// Each shape in which threads get into each other's way: a chain, a star, pairs of all, any.
std::vector<Graph> graphs(std::uint64_t seed) {
  Graph chain{40, {}}, star{40, {}}, clique{9, {}}, any{50, {}};
  for (unsigned i = 1; i < 40; ++i) chain.edges.push_back({i, i - 1}), star.edges.push_back({0, i});
  for (unsigned i = 0; i < 9; ++i)
    for (unsigned j = 0; j < 9; ++j) clique.edges.push_back({i, j});
  for (unsigned i = 0; i < 60; ++i)
    any.edges.push_back({static_cast<unsigned>(course::random_bits(seed, 2 * i) % 50),
                         static_cast<unsigned>(course::random_bits(seed, 2 * i + 1) % 50)});
  std::reverse(star.edges.begin(), star.edges.end());
  return {chain, star, clique, any};
}
std::vector<unsigned> roots_on_cpu(const Graph& graph) {
  std::vector<unsigned> root(graph.nodes);
  std::iota(root.begin(), root.end(), 0u);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge e : graph.edges) {
      const unsigned least = std::min(root[e.x], root[e.y]);
      changed |= root[e.x] != least || root[e.y] != least;
      root[e.x] = root[e.y] = least;
    }
  }
  return root;
}

struct Made {
  std::vector<unsigned> roots;
  unsigned joined;
};
Made united(const Graph& graph, bool carelessly = false) {
  std::vector<unsigned> start(graph.nodes);
  std::iota(start.begin(), start.end(), 0u);
  DeviceBuffer<unsigned> parents(start), roots(graph.nodes), joined(std::vector<unsigned>(1));
  DeviceBuffer<Edge> edges(graph.edges);
  const auto n = static_cast<unsigned>(graph.edges.size());
  const Forest forest{parents.data()};
  if (carelessly)
    unite_carelessly<<<(n + 31) / 32, 32>>>(parents.data(), edges.data(), n);
  else
    unite_all<<<(n + 31) / 32, 32>>>(forest, edges.data(), n, joined.data());
  roots_of_all<<<2, 32>>>(forest, graph.nodes, roots.data());
  COURSE_CHECK(cudaGetLastError());
  return {roots.download(), joined.download()[0]};
}

int seeds() {
  const char* const text = std::getenv("POINT_CLOUD_SEEDS");
  return text ? std::atoi(text) : 8;
}
template <class Body>
void under_schedules(Body body) {
  for (int seed = 1; seed <= seeds(); ++seed) {
    const auto words = "random:" + std::to_string(seed);
    setenv("WARPLADDER_SCHEDULE", words.c_str(), 1);
    setenv("WARPLADDER_MEMORY", seed % 2 ? "weak" : "strong", 1);
    body(seed);
  }
  unsetenv("WARPLADDER_SCHEDULE");
  unsetenv("WARPLADDER_MEMORY");
}

// Of the integers that are in the same order as floats, so that atomicMin and atomicMax can compare them.
float float_of(int ordered) {
  const int bits = ordered >= 0 ? ordered : ordered ^ 0x7fffffff;
  float v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

}  // namespace

TEST_CASE("threads that unite at the same time make one forest") {
  under_schedules([](int seed) {
    for (const Graph& graph : graphs(static_cast<std::uint64_t>(seed))) {
      INFO("seed " << seed << ", " << graph.edges.size() << " edges");
      const Made made = united(graph);
      const auto wanted = roots_on_cpu(graph);
      CHECK(made.roots == wanted);
      // As many unions were told to be new as roots went away.
      unsigned roots = 0;
      for (unsigned i = 0; i < graph.nodes; ++i) roots += wanted[i] == i;
      CHECK(made.joined == graph.nodes - roots);
    }
  });
}

TEST_CASE("without an exchange some schedule loses a union") {
  if (!support::device().emulated) return;
  int wrong = 0;
  under_schedules([&](int seed) {
    for (const Graph& graph : graphs(static_cast<std::uint64_t>(seed)))
      wrong += united(graph, true).roots != roots_on_cpu(graph);
  });
  CHECK(wrong > 0);
}

TEST_CASE("clusters are counted and measured, and keep their names") {
  using namespace lesson13;
  // Three clusters, named 0, 3 and 40, and noise; some of the warps have several.
  constexpr std::uint32_t n = 100;
  std::vector<float4> points(n);
  std::vector<std::uint32_t> labels(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    labels[i] = i % 7 == 6 ? kNoise : i < 40 ? (i % 2 && i != 1 ? 3 : 0) : 40;
    points[i] = {static_cast<float>(i) - 50, -0.5f * static_cast<float>(i), 3, 0};
  }
  labels[0] = 0, labels[3] = 3, labels[40] = 40;
  struct Memory {
    DeviceBuffer<std::uint32_t> count{std::vector<std::uint32_t>(1)}, numbers{n}, sizes{n},
        names{n};
    DeviceBuffer<int> boxes{6 * n};
    Clusters clusters() { return {count.data(), numbers.data(), sizes.data(), boxes.data()}; }
  } first, second;
  DeviceBuffer<float4> p(points);
  DeviceBuffer<std::uint32_t> l(labels), next(std::vector<std::uint32_t>(1));
  DeviceBuffer<unsigned long long> wanted(std::vector<unsigned long long>(n, ~0ull));
  for (Memory* const m : {&first, &second}) {
    number_clusters<<<2, 64>>>(l.data(), n, m->clusters());
    measure_clusters<<<2, 64>>>(p.data(), l.data(), n, m->clusters());
  }
  REQUIRE(first.count.download()[0] == 3);
  const auto numbers = first.numbers.download(), sizes = first.sizes.download();
  const auto boxes = first.boxes.download();
  for (const std::uint32_t label : {0u, 3u, 40u}) {
    int low = n, high = 0;
    std::uint32_t size = 0;
    for (std::uint32_t i = 0; i < n; ++i)
      if (labels[i] == label) ++size, low = std::min<int>(low, i), high = std::max<int>(high, i);
    const std::uint32_t k = numbers[label];
    CHECK(sizes[k] == size);
    const auto value = [&](int d) { return float_of(boxes[6 * k + d]); };
    CHECK(value(0) == static_cast<float>(low) - 50);
    CHECK(value(3) == static_cast<float>(high) - 50);
    CHECK(value(1) == -0.5f * static_cast<float>(high));
    CHECK(value(5) == 3);
  }
  // The first scan gives new names; in the second everything stands where it stood.
  Memory none;
  const Tracks new_names{first.names.data(), wanted.data(), next.data()};
  give_names<<<1, 64>>>(first.clusters(), none.clusters(), none.names.data(), new_names);
  const Tracks kept{second.names.data(), wanted.data(), next.data()};
  want_names<<<1, 64>>>(second.clusters(), first.clusters(), kept);
  give_names<<<1, 64>>>(second.clusters(), first.clusters(), first.names.data(), kept);
  auto names = first.names.download(), again = second.names.download();
  const auto second_numbers = second.numbers.download();
  for (const std::uint32_t label : {0u, 3u, 40u})
    CHECK(names[numbers[label]] == again[second_numbers[label]]);
  names.resize(3);
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(next.download()[0] == 3);
}
