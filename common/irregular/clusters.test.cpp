// SPDX-License-Identifier: MIT
#include "common/irregular/clusters.hpp"

#include <limits>
#include <vector>

#include "common/irregular/street.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Clustered;
using course::kNoise;
using Labels = std::vector<std::uint32_t>;

namespace {

// Points on a line, a metre apart where nothing else is said.
std::vector<float4> at(const std::vector<float>& x) {
  std::vector<float4> points;
  for (const float v : x) points.push_back({v, 0, 0, 0});
  return points;
}

}  // namespace

TEST_CASE("core, border and noise by the definition") {
  // Three in a row are core points with two neighbours each, their ends have fewer; 9 is alone.
  const auto points = at({0, 1, 2, 3, 9});
  const Clustered c = course::cluster_all_pairs(points, 1, 3);
  CHECK(c.core == std::vector<std::uint8_t>{0, 1, 1, 0, 0});
  CHECK(c.labels == Labels{1, 1, 1, 1, kNoise});
  CHECK(c.others.empty());
  CHECK(course::cluster_all_pairs(points, 1, 1).labels == Labels{0, 0, 0, 0, 4});
  CHECK(course::cluster_all_pairs(points, 0.5f, 2).labels == Labels(5, kNoise));
}

TEST_CASE("a border point between two clusters may belong to either") {
  // 3 has four near points with itself and the clusters around 1 and 5 need five.
  const auto points = at({1, 1, 1, 2, 3, 4, 5, 5, 5});
  const Clustered c = course::cluster_all_pairs(points, 1, 4);
  REQUIRE(c.core[4] == 0);
  CHECK(c.labels[4] == 0);
  REQUIRE(c.others.size() == 1);
  CHECK(c.others[0] == std::pair<std::uint32_t, std::uint32_t>{4, 5});
  Labels labels = c.labels;
  CHECK(course::compare_labels(labels, c).verdict.ok);
  labels[4] = 5;
  CHECK(course::compare_labels(labels, c).verdict.ok);
  labels[4] = kNoise;
  CHECK_FALSE(course::compare_labels(labels, c).verdict.ok);
  labels[4] = 0, labels[6] = 0;
  const auto finding = course::compare_labels(labels, c);
  CHECK_FALSE(finding.verdict.ok);
  CHECK(finding.where == "the label of point 6, a core point");
}

TEST_CASE("the grid says what all pairs say, for every cloud") {
  for (const char* const kind : course::cloud_kinds())
    for (const std::size_t n : {0, 1, 700})
      for (const unsigned min_points : {1u, 10u, 40u})
        for (const unsigned threads : {1u, 3u}) {
          const auto points = course::make_cloud(kind, n, 64, 0.5f, 5);
          const Clustered slow = course::cluster_all_pairs(points, 0.5f, min_points),
                          fast = course::cluster_by_grid(points, 0.5f, min_points, threads);
          INFO(kind << ", " << n << " points, " << min_points);
          CHECK(fast.core == slow.core);
          CHECK(fast.labels == slow.labels);
          CHECK(fast.others == slow.others);
        }
}

TEST_CASE("what is no number or too far away is noise, and disturbs nobody") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  auto points = at({kNan, kInfinity, -kInfinity, 1e30f, 1e30f, 8192, 8192, 1, 1});
  points.push_back({1, kNan, 1, 0});
  for (const unsigned min_points : {1u, 2u}) {
    const Labels wanted{kNoise, kNoise, kNoise, kNoise, kNoise, kNoise, kNoise, 7, 7, kNoise};
    CHECK(course::cluster_all_pairs(points, 0.5f, min_points).labels == wanted);
    CHECK(course::cluster_by_grid(points, 0.5f, min_points, 1).labels == wanted);
  }
}

TEST_CASE("a distance of exactly eps is near") {
  const auto points = at({0, 0.5f, std::nextafter(1.0f, 2.0f)});
  CHECK(course::cluster_by_grid(points, 0.5f, 2, 1).labels == Labels{0, 0, kNoise});
}

TEST_CASE("a clustering is judged, and too many points are refused") {
  const course::families::Setup setup{support::device(),
                                      300,
                                      256,
                                      1,
                                      {{"cloud", "blobs"},
                                       {"order", "shuffled"},
                                       {"rings", "64"},
                                       {"eps", "0.5"},
                                       {"neighbours", "10"}}};
  const auto problem = course::make_clustering(setup);
  problem->solve_on_cpu(2);
  CHECK(problem->judge_cpu().verdict.ok);
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  auto many = setup;
  many.n = std::size_t{1} << 31;
  CHECK_THROWS_AS(course::make_clustering(many), course::UsageError);
}
