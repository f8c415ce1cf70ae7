// SPDX-License-Identifier: MIT
#include "common/irregular/clusters.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/irregular/street.hpp"
#include "common/parallel.hpp"
#include "common/size.hpp"

namespace course {

namespace {

constexpr const char* kOrders[] = {"scan", "shuffled"};
constexpr const char* kRings[] = {"16", "32", "64", "128"};
constexpr const char* kEps[] = {"0.25", "0.5", "1"};
constexpr const char* kNeighbours[] = {"1", "4", "10", "100"};

std::span<const Choice> choices() {
  static const Choice kAll[] = {
      {"cloud", "a scan of a street, what stands on its ground, or a hard case", cloud_kinds(),
       "street"},
      {"order", "of the points", kOrders, "scan"},
      {"rings", "lasers of the scanner", kRings, "64"},
      {"eps", "how near neighbours are, in metres", kEps, "0.5"},
      {"neighbours", "how many a core point has, itself among them", kNeighbours, "10"},
  };
  return kAll;
}

constexpr std::size_t kRoomPerPoint = 160, kRoomAtLeast = std::size_t{1} << 16;

class ClusteringProblem final : public families::ProblemOf<Clustering> {
 public:
  explicit ClusteringProblem(const families::Setup& setup)
      : device_(setup.device),
        block_(setup.block),
        eps_(std::stof(value_of(setup.chosen, "eps"))),
        min_points_(static_cast<unsigned>(std::stoul(value_of(setup.chosen, "neighbours")))),
        points_(make_points(setup)),
        on_device_(points_),
        labels_(setup.n),
        room_(room_for_clusters(setup.n)) {
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override { first_ = first, n_ = n; }
  // A point is read and its label written.
  double bytes() const override { return (sizeof(float4) + 4.0) * static_cast<double>(n_); }
  void solve_on_cpu(unsigned threads) override {
    on_cpu_ = cluster_by_grid(part(), eps_, min_points_, threads);
  }
  families::Finding judge_cpu() override { return compare_labels(on_cpu_.labels, truth()); }
  void poison() override {
    if (labels_.size() > 0) COURSE_CHECK(cudaMemset(labels_.data(), 0xcd, labels_.bytes()));
    COURSE_CHECK(cudaMemset(room_.data(), 0xcd, room_.bytes()));
  }
  families::Finding judge(bool) override {
    auto labels = labels_.download();
    labels.resize(n_);
    return compare_labels(labels, truth());
  }
  Clustering task() override {
    Clustering c;
    c.points = on_device_.data() + first_, c.n = n_;
    c.eps = eps_, c.min_points = min_points_;
    c.labels = labels_.data();
    c.room = room_.data(), c.room_bytes = room_.bytes();
    c.block = block_, c.device = &device_;
    return c;
  }

 private:
  static std::vector<float4> make_points(const families::Setup& setup) {
    const auto& chosen = setup.chosen;
    auto points = make_cloud(value_of(chosen, "cloud"), setup.n + kSpare,
                             std::stoi(value_of(chosen, "rings")),
                             std::stof(value_of(chosen, "eps")), setup.seed);
    return value_of(chosen, "order") == "scan" ? points : shuffled(points, setup.seed);
  }
  std::span<const float4> part() const { return std::span(points_).subspan(first_, n_); }
  const Clustered& truth() {
    auto [at, fresh] = truths_.try_emplace({first_, n_});
    if (fresh) at->second = cluster_by_grid(part(), eps_, min_points_, cpu_threads());
    return at->second;
  }
  const Device& device_;
  int block_;
  float eps_;
  unsigned min_points_;
  std::vector<float4> points_;
  DeviceBuffer<float4> on_device_;
  DeviceBuffer<std::uint32_t> labels_;
  DeviceBuffer<std::byte> room_;
  Clustered on_cpu_;
  std::map<std::pair<std::size_t, std::size_t>, Clustered> truths_;
  std::size_t first_ = 0, n_ = 0;
};

}  // namespace

std::size_t room_for_clusters(std::size_t n) { return kRoomPerPoint * n + kRoomAtLeast; }

families::Finding compare_labels(std::span<const std::uint32_t> labels, const Clustered& truth) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == truth.labels[i]) continue;
    const std::pair<std::uint32_t, std::uint32_t> other{static_cast<std::uint32_t>(i), labels[i]};
    if (std::binary_search(truth.others.begin(), truth.others.end(), other)) continue;
    const auto shown = [](std::uint32_t l) { return l == kNoise ? -1.0 : static_cast<double>(l); };
    return {{false, shown(truth.labels[i]), shown(labels[i])},
            "the label of point " + std::to_string(i) +
                (truth.core[i] ? ", a core point" : ", no core point")};
  }
  return {{true}};
}

std::span<const Choice> clusters_choices() { return choices(); }

std::unique_ptr<families::ProblemOf<Clustering>> make_clustering(const families::Setup& setup) {
  if (setup.n >= std::size_t{1} << 31)
    throw UsageError{"--n " + format_size(setup.n) +
                     " is more than the 2^31 - 1 points that an index can tell apart"};
  check_bytes_fit(static_cast<double>(kRoomPerPoint + 20) * static_cast<double>(setup.n), setup.n,
                  setup.device);
  return std::make_unique<ClusteringProblem>(setup);
}

}  // namespace course
