// SPDX-License-Identifier: MIT
// How does the time grow with the number of points, and with how many of them are near each other?
// Program 13_point_cloud.growth.
#include <string>
#include <string_view>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/irregular/street.hpp"
#include "common/parallel.hpp"
#include "common/program/experiment.cuh"
#include "common/size.hpp"
#include "common/timing.cuh"
#include "lessons/13_point_cloud/point_cloud.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson13::growth {
namespace {

using course::DeviceBuffer;

// The slowest rungs take a second for what the fastest do in a fraction of a millisecond: those are not done four times.
double us_of(course::Experiment& e, course::Stopwatch& watch, course::FunctionRef<void()> launch) {
  if (e.device.emulated) return watch.measure(launch, 1).median_us;
  const double first = watch.sample(launch);
  if (first > 50'000) return first;
  return watch.measure(launch, first > 5'000 ? 1 : 7).median_us;
}

// Times of the rungs from one of them on, each checked once; empty where a rung would take too long.
std::vector<std::optional<double>> times_of(course::Experiment& e,
                                            const std::vector<float4>& points, float eps,
                                            std::string_view from, bool& ok) {
  DeviceBuffer<float4> on_device(points);
  DeviceBuffer<std::uint32_t> labels(points.size());
  DeviceBuffer<std::byte> room(course::room_for_clusters(points.size()));
  Clustering c;
  c.points = on_device.data(), c.n = points.size(), c.labels = labels.data(), c.eps = eps;
  c.room = room.data(), c.room_bytes = room.bytes(), c.device = &e.device;
  const auto truth = course::cluster_by_grid(points, eps, c.min_points, course::cpu_threads());
  course::Stopwatch watch(e.device, e.flush);
  std::vector<std::optional<double>> times;
  bool begun = false;
  for (const auto& rung : kRungs) {
    begun |= rung.id == from;
    if (!begun || (rung.refuses && rung.refuses(c))) {
      times.push_back(std::nullopt);
      continue;
    }
    times.push_back(us_of(e, watch, [&] { rung.launch(c); }));
    const auto finding = course::compare_labels(labels.download(), truth);
    if (finding.verdict.ok) continue;
    ok = false;
    std::printf("FAIL %s, %zu points: %s\n", rung.id, points.size(), finding.where.c_str());
  }
  return times;
}

course::Table table_of(const char* id, const char* title, const char* first) {
  course::Table table{id, title, "us", {first}};
  for (const auto& rung : kRungs) table.columns.emplace_back(rung.id);
  return table;
}

bool run_growth(course::Experiment& e) {
  bool ok = true;
  const bool small = e.device.small;
  const std::vector<std::size_t> sizes =
      small ? std::vector<std::size_t>{100, 300, 1000}
            : std::vector<std::size_t>{1000,   10000,   30000,   100000,
                                       300000, 1000000, 3000000, 10000000};
  course::Table by_points =
      table_of("points", "A scan of a street, by its number of points", "points");
  for (const std::size_t n : sizes)
    by_points.rows.push_back(
        {std::to_string(n), times_of(e, course::make_cloud("street", n, 64, 0.5f, 1), 0.5f,
                                     n > 300000 ? "small_cells" : "all_pairs", ok)});
  e.add(std::move(by_points));
  // The same points, more of them near each other: twice eps is up to eight times as many.
  const std::size_t n = small ? 300 : 100000;
  course::Table by_density = table_of("density", "The same scan, by eps (metres)", "eps");
  const auto points = course::make_cloud("street", n, 64, 0.5f, 1);
  for (const float eps : {0.125f, 0.25f, 0.5f, 1.0f, 2.0f})
    by_density.rows.push_back(
        {course::format_cell(eps), times_of(e, points, eps, "warp_cells", ok)});
  e.add(std::move(by_density));
  course::Table by_kind = table_of("kinds", "Clouds of other kinds, as many points", "cloud");
  for (const char* const kind : course::cloud_kinds())
    by_kind.rows.push_back(
        {kind, times_of(e, course::make_cloud(kind, n, 64, 0.5f, 1), 0.5f, "union_find", ok)});
  e.add(std::move(by_kind));
  return ok;
}

}  // namespace
}  // namespace lesson13::growth

int main(int argc, char** argv) {
  return course::run_experiment(
      {"13_point_cloud", "growth", "How the time grows with the points and with their density."},
      argc, argv, lesson13::growth::run_growth);
}
