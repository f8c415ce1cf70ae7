// SPDX-License-Identifier: MIT
// A scene that moves, ten scans a second: each is clustered, each cluster measured and given the name that it
// had in the scan before. How many scans a second would be possible, and do things keep their names?
// Program 13_point_cloud.frames.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/irregular/street.hpp"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/13_point_cloud/clusters.cuh"
#include "lessons/13_point_cloud/one_launch.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson13::frames {
namespace {

using course::DeviceBuffer;

// What a scan leaves for the next one.
struct Frame {
  explicit Frame(std::size_t n)
      : count(std::vector<std::uint32_t>(1)), numbers(n), sizes(n), names(n), boxes(6 * n) {
    // Only points that stand for a cluster get a number, and all of them are copied back.
    COURSE_CHECK(cudaMemset(numbers.data(), 0xff, numbers.bytes()));
  }
  Clusters clusters() { return {count.data(), numbers.data(), sizes.data(), boxes.data()}; }
  DeviceBuffer<std::uint32_t> count, numbers, sizes, names;
  DeviceBuffer<int> boxes;
};

class Tracker {
 public:
  Tracker(const course::Device& device, std::size_t n)
      : labels_(n),
        room_(course::room_for_clusters(n)),
        wanted_(n),
        next_(std::vector<std::uint32_t>(1)),
        a_(n),
        b_(n) {
    task_.n = n, task_.labels = labels_.data(), task_.device = &device;
    task_.room = room_.data(), task_.room_bytes = room_.bytes();
  }
  void add(const float4* points) {
    const auto n = static_cast<std::uint32_t>(task_.n);
    const unsigned blocks = blocks_for(task_, n);
    std::swap(now_, before_);
    const Clusters now = now_->clusters();
    const Tracks tracks{now_->names.data(), wanted_.data(), next_.data()};
    task_.points = points;
    launch_at_once(task_);
    COURSE_CHECK(cudaMemsetAsync(now.count, 0, sizeof(std::uint32_t)));
    COURSE_CHECK(cudaMemsetAsync(wanted_.data(), 0xff, wanted_.bytes()));
    number_clusters<<<blocks, task_.block>>>(labels_.data(), n, now);
    measure_clusters<<<blocks, task_.block>>>(points, labels_.data(), n, now);
    want_names<<<4, task_.block>>>(now, before_->clusters(), tracks);
    give_names<<<4, task_.block>>>(now, before_->clusters(), before_->names.data(), tracks);
    COURSE_CHECK(cudaGetLastError());
  }
  // The name of each point's cluster; kNoise for noise.
  std::vector<std::uint32_t> names() const {
    auto labels = labels_.download();
    const auto numbers = now_->numbers.download(),
               names = now_->names.download(now_->count.download()[0]);
    for (std::uint32_t& label : labels)
      if (label != kNoise) label = names[numbers[label]];
    return labels;
  }

 private:
  DeviceBuffer<std::uint32_t> labels_;
  DeviceBuffer<std::byte> room_;
  DeviceBuffer<unsigned long long> wanted_;
  DeviceBuffer<std::uint32_t> next_;
  Frame a_, b_;
  Frame *now_ = &a_, *before_ = &b_;
  Clustering task_;
};

// The name that most points of each object have, of objects with enough points.
std::map<std::uint16_t, std::uint32_t> names_of_objects(const course::LidarScan& scan,
                                                        const std::vector<std::uint32_t>& names) {
  std::map<std::uint16_t, std::map<std::uint32_t, std::size_t>> counts;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (scan.objects[i] != 0) ++counts[scan.objects[i]][names[i]];
  std::map<std::uint16_t, std::uint32_t> most;
  for (const auto& [object, votes] : counts) {
    const auto best =
        std::max_element(votes.begin(), votes.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best->first != kNoise && best->second >= 20) most[object] = best->first;
  }
  return most;
}

bool run_frames(course::Experiment& e) {
  const std::size_t n = e.n.value_or(e.device.small ? 1500 : 100000);
  if (n == 0 || n > 10000000) throw course::UsageError{"--n must be from 1 to 10,000,000 points"};
  const int frames = e.device.small ? 3 : 30;
  std::vector<course::LidarScan> scans;
  std::vector<std::unique_ptr<DeviceBuffer<float4>>> on_device;
  for (int f = 0; f < frames; ++f) {
    scans.push_back(course::scan_street(n, {64, 1, 0.1 * f, false}));
    on_device.push_back(std::make_unique<DeviceBuffer<float4>>(scans.back().points));
  }
  Tracker tracker(e.device, n);
  std::map<std::uint16_t, std::uint32_t> before;
  std::size_t seen = 0, kept = 0;
  for (int f = 0; f < frames; ++f) {
    tracker.add(on_device[f]->data());
    const auto now = names_of_objects(scans[f], tracker.names());
    for (const auto& [object, name] : now)
      if (const auto last = before.find(object); last != before.end())
        ++seen, kept += last->second == name;
    before = now;
  }
  course::Event start, stop;
  start.record();
  for (int f = 0; f < frames; ++f) tracker.add(on_device[f]->data());
  stop.record();
  stop.wait();
  const double us = stop.us_since(start) / frames;
  course::Table table{"frames",
                      "Scans of " + std::to_string(n) + " points, a tenth of a second apart",
                      "",
                      {"", "us for one", "scans/s", "things seen twice", "kept their name (%)"}};
  table.rows.push_back(
      {"one after the other",
       {us, 1e6 / us, static_cast<double>(seen), 100.0 * kept / std::max<std::size_t>(1, seen)}});
  e.add(std::move(table));
  // In a thinner scan the points of a thing are too far apart to be one cluster in every frame.
  constexpr std::size_t kThin = 1200;
  if (n < kThin || kept * 10 >= seen * 8) return true;
  std::printf("FAIL fewer than 80 %% of the things kept their name\n");
  return false;
}

}  // namespace
}  // namespace lesson13::frames

int main(int argc, char** argv) {
  course::ExperimentInfo info{"13_point_cloud", "frames",
                              "A scene that moves: scans a second, and names that stay."};
  info.takes_n = true;
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, lesson13::frames::run_frames);
}
