// SPDX-License-Identifier: MIT
#include "common/irregular/shortest_paths.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <thread>
#include <utility>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"

namespace course {

namespace {

constexpr const char* kGraphs[] = {"roads", "random"};
constexpr Choice kPathChoices[] = {
    {"graph", "streets in a grid, or edges that lead anywhere", kGraphs, "roads"}};

std::vector<std::uint32_t> dijkstra(std::span<const Edge> edges) {
  std::vector<std::uint32_t> distances(edges.size() / kMostEdges, kFar);
  if (distances.empty()) return distances;
  using Item = std::pair<std::uint32_t, std::uint32_t>;  // distance, vertex
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  distances[0] = 0;
  for (queue.push({0, 0}); !queue.empty();) {
    const auto [distance, v] = queue.top();
    queue.pop();
    if (distance > distances[v]) continue;
    for (const Edge& e : edges.subspan(std::size_t{v} * kMostEdges, kMostEdges)) {
      const std::uint32_t longer = distance + e.length;
      if (e.to == v || longer >= distances[e.to]) continue;
      distances[e.to] = longer;
      queue.push({longer, e.to});
    }
  }
  return distances;
}

// Rounds: all vertices that were shortened in the round before pass it on.
std::vector<std::uint32_t> in_rounds(std::span<const Edge> edges, unsigned threads) {
  const std::size_t vertices = edges.size() / kMostEdges;
  constexpr auto kRelaxed = std::memory_order_relaxed;
  std::vector<std::atomic<std::uint32_t>> distances(vertices);
  std::vector<std::atomic<char>> listed(vertices);
  for (auto& d : distances) d.store(kFar, kRelaxed);
  if (vertices > 0) distances[0] = 0;
  std::vector<std::uint32_t> now(vertices > 0 ? 1 : 0);  // vertex 0
  std::vector<std::vector<std::uint32_t>> found(threads);
  std::barrier round(static_cast<std::ptrdiff_t>(threads), [&]() noexcept {
    now.clear();
    for (auto& part : found) now.insert(now.end(), part.begin(), part.end()), part.clear();
  });
  const auto pass_on = [&](std::uint32_t v, std::vector<std::uint32_t>& next) {
    listed[v].exchange(0);  // first: who shortens it from now on lists it again
    const std::uint32_t from = distances[v].load();
    for (const Edge& e : edges.subspan(std::size_t{v} * kMostEdges, kMostEdges)) {
      std::uint32_t seen = distances[e.to].load(kRelaxed);
      bool shorter = false;
      while (e.to != v && !shorter && from + e.length < seen)
        shorter = distances[e.to].compare_exchange_weak(seen, from + e.length);
      if (shorter && listed[e.to].exchange(1) == 0) next.push_back(e.to);
    }
  };
  const auto work = [&](unsigned t) {
    while (!now.empty()) {
      const std::size_t end = now.size() * (t + 1) / threads;
      for (std::size_t i = now.size() * t / threads; i < end; ++i) pass_on(now[i], found[t]);
      round.arrive_and_wait();
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t) workers.emplace_back(work, t);
  }
  return {distances.begin(), distances.end()};
}

class PathsProblem final : public families::ProblemOf<Paths> {
 public:
  explicit PathsProblem(const families::Setup& setup)
      : graph_(value_of(setup.chosen, "graph")),
        seed_(setup.seed),
        device_(setup.device),
        block_(setup.block) {
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    auto& made = parts_[{first, n}];
    if (made == nullptr)
      made = std::make_unique<Part>(
          make_graph(graph_, static_cast<std::uint32_t>((n + 15) / 16), seed_ + first));
    part_ = made.get();
    const std::size_t bytes = part_->truth.size() * 192 + (std::size_t{1} << 20);
    if (memory_ == nullptr || memory_->size() < bytes)
      memory_ = std::make_unique<DeviceBuffer<std::byte>>(bytes);
    owner_ = nullptr;
  }
  Paths task() override {
    Paths p;
    p.edges = part_->device_edges.data();
    p.vertices = static_cast<std::uint32_t>(part_->truth.size());
    p.distances = part_->distances.data();
    p.memory = memory_->data();
    p.memory_bytes = memory_->size();
    p.owner = &owner_;
    p.block = block_;
    p.device = &device_;
    return p;
  }
  // Every vertex once: its edges, and the distances at their ends.
  double bytes() const override {
    return (sizeof(Edge) * kMostEdges + 4.0 * kMostEdges + 4) *
           static_cast<double>(part_->truth.size());
  }
  void solve_on_cpu(unsigned threads) override { on_cpu_ = cpu_paths(part_->edges, threads); }
  families::Finding judge_cpu() override { return compared(on_cpu_); }
  void poison() override {
    if (part_->distances.size() > 0)
      COURSE_CHECK(cudaMemset(part_->distances.data(), 0xcd, part_->distances.bytes()));
  }
  families::Finding judge(bool) override { return compared(part_->distances.download()); }

 private:
  struct Part {
    explicit Part(std::vector<Edge> made)
        : edges(std::move(made)),
          truth(dijkstra(edges)),
          device_edges(edges),
          distances(truth.size()) {}
    std::vector<Edge> edges;
    std::vector<std::uint32_t> truth;
    DeviceBuffer<Edge> device_edges;
    DeviceBuffer<std::uint32_t> distances;
  };
  families::Finding compared(const std::vector<std::uint32_t>& got) const {
    const auto wrong = std::mismatch(got.begin(), got.end(), part_->truth.begin());
    if (wrong.first == got.end()) return {{true}};
    return {{false, static_cast<double>(*wrong.second), static_cast<double>(*wrong.first)},
            "the distance of vertex " + std::to_string(wrong.first - got.begin())};
  }
  std::string graph_;
  std::uint64_t seed_;
  const Device& device_;
  int block_;
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Part>> parts_;
  Part* part_ = nullptr;
  std::unique_ptr<DeviceBuffer<std::byte>> memory_;
  const void* owner_ = nullptr;
  std::vector<std::uint32_t> on_cpu_;
};

}  // namespace

std::vector<Edge> make_graph(const std::string& kind, std::uint32_t vertices, std::uint64_t seed) {
  std::vector<Edge> edges(std::size_t{vertices} * kMostEdges);
  const auto width = std::max(1u, static_cast<std::uint32_t>(std::sqrt(vertices)));
  const auto length = [&](std::uint64_t street) {
    return 1 + static_cast<std::uint32_t>(random_bits(seed, street) % kLongest);
  };
  for (std::uint32_t v = 0; v < vertices; ++v) {
    Edge* const own = edges.data() + std::size_t{v} * kMostEdges;
    std::fill(own, own + kMostEdges, Edge{v, 0});
    if (kind == "random") {
      for (std::uint32_t i = 0; i < kMostEdges; ++i)
        own[i] = {static_cast<std::uint32_t>(
                      random_bits(seed + 1, std::size_t{v} * kMostEdges + i) % vertices),
                  length(std::size_t{v} * kMostEdges + i)};
      continue;
    }
    // A street is the same in both directions: it is named by its vertex to the left or above.
    const std::size_t right = 2 * std::size_t{v}, below = right + 1;
    if (v % width + 1 < width && v + 1 < vertices) own[0] = {v + 1, length(right)};
    if (v % width > 0) own[1] = {v - 1, length(right - 2)};
    if (v + std::size_t{width} < vertices) own[2] = {v + width, length(below)};
    if (v >= width) own[3] = {v - width, length(below - 2 * std::size_t{width})};
  }
  return edges;
}

std::vector<std::uint32_t> cpu_paths(std::span<const Edge> edges, unsigned threads) {
  return threads <= 1 ? dijkstra(edges) : in_rounds(edges, threads);
}

std::span<const Choice> paths_choices() { return kPathChoices; }

std::unique_ptr<families::ProblemOf<Paths>> make_paths(const families::Setup& setup) {
  check_bytes_fit(16.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<PathsProblem>(setup);
}

}  // namespace course
