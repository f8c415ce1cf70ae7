// SPDX-License-Identifier: MIT
// Clusters of a cloud: of a file, or of a scan that the program makes. How many points each has and the box
// around them; labels into a file, pictures of the scene. Program 13_point_cloud.cluster.
#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/irregular/point_files.hpp"
#include "common/irregular/scene_picture.hpp"
#include "common/irregular/street.hpp"
#include "common/program/experiment.cuh"
#include "lessons/13_point_cloud/clusters.cuh"
#include "lessons/13_point_cloud/one_launch.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson13::cluster {
namespace {

using course::DeviceBuffer;

constexpr course::Choice kOptions[] = {
    {"in", "a file .pcd, .ply or .bin (default: a scan of a street)", {}, ""},
    {"out", "write points and labels to this file: .pcd, .ply or .bin", {}, ""},
    {"picture", "write NAME.above.png and NAME.ahead.png", {}, ""},
    {"eps", "how near neighbours are, in metres", {}, "0.5"},
    {"neighbours", "how many a core point has, itself among them", {}, "10"},
};

double number_from(const course::Experiment& e, const char* name, double least, double most) {
  const std::string& text = course::value_of(e.chosen, name);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= most)
    return value;
  throw course::UsageError{"--" + std::string(name) + " " + text + " is not a number from " +
                           course::format_cell(least) + " to " + course::format_cell(most)};
}

struct Summary {
  std::vector<std::uint32_t> sizes;
  std::vector<int> boxes;
};

// Long because it owns all the memory of the steps.
Summary summarise(const Clustering& c) {
  const auto n = static_cast<std::uint32_t>(c.n);
  DeviceBuffer<std::uint32_t> count(std::vector<std::uint32_t>(1)), numbers(n), sizes(n);
  DeviceBuffer<int> boxes(6 * c.n);
  const Clusters clusters{count.data(), numbers.data(), sizes.data(), boxes.data()};
  number_clusters<<<blocks_for(c, c.n), c.block>>>(c.labels, n, clusters);
  measure_clusters<<<blocks_for(c, c.n), c.block>>>(c.points, c.labels, n, clusters);
  COURSE_CHECK(cudaGetLastError());
  const std::size_t there = count.download()[0];
  return {sizes.download(there), boxes.download(6 * there)};
}

// On the CPU, from the labels: the same numbers.
bool agrees(const Summary& all, const std::vector<float4>& points,
            const std::vector<std::uint32_t>& labels) {
  std::vector<std::uint32_t> sizes(points.size());
  for (const std::uint32_t label : labels)
    if (label != kNoise) ++sizes[label];
  std::erase(sizes, 0u);
  auto got = all.sizes;
  std::sort(got.begin(), got.end()), std::sort(sizes.begin(), sizes.end());
  return got == sizes;
}

float value_of_ordered(int bits) {
  bits = bits >= 0 ? bits : bits ^ 0x7fffffff;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

course::Table largest_of(const Summary& all) {
  course::Table table{"largest",
                      "The largest clusters, and the boxes around them (metres)",
                      "",
                      {"cluster", "points", "x", "y", "z", "length", "width", "height"}};
  std::vector<std::size_t> order(all.sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all.sizes[a] != all.sizes[b]
               ? all.sizes[a] > all.sizes[b]
               : std::lexicographical_compare(
                     all.boxes.begin() + 6 * a, all.boxes.begin() + 6 * a + 6,
                     all.boxes.begin() + 6 * b, all.boxes.begin() + 6 * b + 6);
  });
  for (std::size_t k = 0; k < std::min<std::size_t>(10, order.size()); ++k) {
    course::TableRow row{std::to_string(k + 1), {static_cast<double>(all.sizes[order[k]])}};
    const int* const box = all.boxes.data() + 6 * order[k];
    for (int d = 0; d < 3; ++d)
      row.values.push_back((value_of_ordered(box[d]) + value_of_ordered(box[3 + d])) / 2.0);
    for (int d = 0; d < 3; ++d)
      row.values.push_back(double{value_of_ordered(box[3 + d])} - value_of_ordered(box[d]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

bool run_cluster(course::Experiment& e) {
  const std::string &in = course::value_of(e.chosen, "in"),
                    &out = course::value_of(e.chosen, "out"),
                    &picture = course::value_of(e.chosen, "picture");
  const auto eps = static_cast<float>(number_from(e, "eps", 0.001, 1000));
  const auto neighbours = static_cast<unsigned>(number_from(e, "neighbours", 1, 1e6));
  if (!in.empty() && e.n)
    throw course::UsageError{"--n is for a scan; a file has its own number of points"};
  if (e.n && *e.n > 10000000) throw course::UsageError{"--n is more than 10,000,000 points"};
  const std::size_t n = e.n.value_or(e.device.small ? 3000 : 100000);
  const std::vector<float4> points =
      in.empty() ? course::make_cloud("objects", n, 64, eps, 1) : course::read_points(in);
  DeviceBuffer<float4> on_device(points);
  DeviceBuffer<std::uint32_t> on_device_labels(points.size());
  DeviceBuffer<std::byte> room(course::room_for_clusters(points.size()));
  Clustering c{on_device.data(), points.size(), eps, neighbours, on_device_labels.data()};
  c.room = room.data(), c.room_bytes = room.bytes(), c.device = &e.device;
  launch_at_once(c);
  const auto labels = on_device_labels.download();
  Summary all;
  if (!points.empty()) all = summarise(c);
  const auto noise = std::count(labels.begin(), labels.end(), kNoise);
  std::printf("%zu points, %zu clusters, %td points are noise\n", points.size(), all.sizes.size(),
              noise);
  e.add(largest_of(all));
  if (!out.empty()) course::write_points(out, points, labels);
  if (!picture.empty()) {
    course::write_png(picture + ".above.png", course::picture_from_above(points, labels));
    course::write_png(picture + ".ahead.png", course::picture_in_perspective(points, labels));
  }
  return agrees(all, points, labels);
}

}  // namespace
}  // namespace lesson13::cluster

int main(int argc, char** argv) {
  course::ExperimentInfo info{"13_point_cloud", "cluster",
                              "Clusters of a file's points, or of a scan's."};
  info.takes_n = true;
  info.flushes = course::Flushes::Never;
  info.choices = lesson13::cluster::kOptions;
  return course::run_experiment(info, argc, argv, lesson13::cluster::run_cluster);
}
