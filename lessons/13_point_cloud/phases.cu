// SPDX-License-Identifier: MIT
// What does each phase of each rung take? Events between the launches; in one launch, the GPU's own clock.
// Program 13_point_cloud.phases.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/flushing.cuh"
#include "common/irregular/street.hpp"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/13_point_cloud/point_cloud.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson13::phases {
namespace {

using course::DeviceBuffer;
using Times = std::map<std::string, std::vector<double>>;  // of a phase, one for each run

struct Cloud {
  DeviceBuffer<float4> points;
  DeviceBuffer<std::uint32_t> labels;
  DeviceBuffer<std::byte> room;
  Clustering task;
  Cloud(const course::Device& device, const std::vector<float4>& all)
      : points(all), labels(all.size()), room(course::room_for_clusters(all.size())) {
    task.points = points.data(), task.n = all.size(), task.labels = labels.data();
    task.room = room.data(), task.room_bytes = room.bytes(), task.device = &device;
  }
};

double median_of(const std::vector<double>& samples) {
  return course::summarise(samples).median_us;
}

// All of it, in us.
double time_launches(Clustering c, const Rung<Clustering>& rung, Times& times) {
  std::vector<std::pair<std::string, std::unique_ptr<course::Event>>> marks;
  const auto mark = [&](const char* name) {
    marks.emplace_back(name, std::make_unique<course::Event>());
    marks.back().second->record();
  };
  mark("");
  const course::FunctionRef<void(const char*)> ended(mark);
  c.ended = &ended;
  rung.launch(c);
  marks.back().second->wait();
  for (std::size_t k = 1; k < marks.size(); ++k)
    times[marks[k].first].push_back(marks[k].second->us_since(*marks[k - 1].second));
  return marks.back().second->us_since(*marks.front().second);
}
// Only on a GPU: the emulator's clock counts steps, not modelled time, and only the whole launch has a time.
void time_inside(const Clustering& c, Times& times) {
  unsigned long long stamps[kStamps];
  COURSE_CHECK(
      cudaMemcpy(stamps, make_grid<SmallCells>(c).flags, sizeof stamps, cudaMemcpyDeviceToHost));
  for (int k = 1; k < kStamps; ++k)
    times[kPhases[k - 1]].push_back(static_cast<double>(stamps[k] - stamps[k - 1]) / 1e3);
}

// Each phase's times, and what all of it takes without events between. What takes long is done once.
double time_phases(const Clustering& c, const Rung<Clustering>& rung, course::Experiment& e,
                   Times& times) {
  course::L2Flush flush(e.device, e.flush);
  course::Stopwatch watch(e.device, e.flush);
  flush();
  const double first = time_launches(c, rung, times);
  if (!e.device.emulated && first > 50'000) return first;
  const int runs = e.device.emulated || first > 5'000 ? 1 : 11;
  if (!e.device.emulated) times.clear();
  for (int run = 0; run < runs && !e.device.emulated; ++run) {
    flush();
    time_launches(c, rung, times);
    if (std::string(rung.id) == "one_launch") time_inside(c, times);
  }
  return watch.measure([&] { rung.launch(c); }, runs).median_us;
}

course::TableRow row_of(const Clustering& c, const Rung<Clustering>& rung, course::Experiment& e) {
  Times times;
  const double all = time_phases(c, rung, e, times);
  course::TableRow row{rung.id, {}};
  for (const char* const phase : kPhases) {
    const auto found = times.find(phase);
    row.values.push_back(found == times.end() ? std::nullopt
                                              : std::optional(median_of(found->second)));
  }
  row.values.push_back(all);
  return row;
}

bool run_phases(course::Experiment& e) {
  const std::vector<std::size_t> sizes = e.n ? std::vector{static_cast<std::size_t>(*e.n)}
                                         : e.device.small
                                             ? std::vector<std::size_t>{1000}
                                             : std::vector<std::size_t>{100000, 1000000};
  for (const std::size_t n : sizes) {
    Cloud cloud(e.device, course::make_cloud("street", n, 64, 0.5f, 1));
    course::Table table{"street_" + std::to_string(n),
                        "Phases of a scan of " + std::to_string(n) + " points",
                        "us",
                        {"rung"}};
    for (const char* const phase : kPhases) table.columns.emplace_back(phase);
    table.columns.emplace_back("all");
    for (const auto& rung : kRungs) {
      if (rung.refuses && rung.refuses(cloud.task)) continue;
      table.rows.push_back(row_of(cloud.task, rung, e));
    }
    e.add(std::move(table));
  }
  return true;
}

}  // namespace
}  // namespace lesson13::phases

int main(int argc, char** argv) {
  course::ExperimentInfo info{"13_point_cloud", "phases", "What each phase of each rung takes."};
  info.takes_n = true;
  return course::run_experiment(info, argc, argv, lesson13::phases::run_phases);
}
