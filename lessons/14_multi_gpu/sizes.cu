// SPDX-License-Identifier: MIT
// How long does an all-reduce take, from 1 KiB of numbers on each GPU upwards? Below some size it is all waiting, above it
// all bytes, and another rung is the fastest.
//
// On one GPU four ranks share it: what is measured then is the waiting, and the memory that they share; no link.
#include <algorithm>

#include "common/program/experiment.cuh"
#include "common/program/family.cuh"
#include "common/timing.cuh"
#include "lessons/14_multi_gpu/multi_gpu.cuh"

namespace lesson14::sizes {

using course::Experiment;

struct Ranked {
  std::string asked;  // --ranks
  int count;
};
Ranked ranks_for(const course::Device& device) {
  const int devices = course::device_count();
  return devices > 1 || device.small ? Ranked{"all", devices} : Ranked{"4", 4};
}

// 1 GiB over real links; ranks that share one GPU have no link that more bytes could fill.
std::size_t most_numbers(const course::Device& device) {
  if (device.small) return std::size_t{1} << 18;
  return std::size_t{1} << (course::device_count() > 1 ? 28 : 24);
}

std::string in_bytes(std::size_t n) {
  const std::size_t kib = n * sizeof(float) / 1024;
  return kib < 1024 ? std::to_string(kib) + " KiB" : std::to_string(kib / 1024) + " MiB";
}

bool measure_sizes(Experiment& e) {
  const Ranked ranks = ranks_for(e.device);
  const std::size_t most = e.n.value_or(most_numbers(e.device));
  const auto rungs = kAllReduce.rungs();
  course::Table times{"sizes",
                      "All-reduce over " + std::to_string(ranks.count) + " ranks, bytes of each",
                      "us",
                      {"bytes"}};
  for (const auto& rung : rungs) times.columns.push_back(rung.id);
  course::Stopwatch watch(e.device, e.flush);
  bool ok = true;
  for (std::size_t n = 256; n <= most; n *= 4) {
    const auto bench = kAllReduce.prepare({e.device, n, 256, 1, {{"ranks", ranks.asked}}});
    course::TableRow row{in_bytes(n), {}};
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      row.values.emplace_back();
      if (!bench->refuses(i).empty()) continue;
      bench->problem().poison();
      const auto timing = watch.measure([&] { bench->launch(i); }, e.reps);
      ok = ok && bench->problem().judge(false).verdict.ok;
      row.values.back() = timing.median_us;
    }
    times.rows.push_back(std::move(row));
  }
  e.add(std::move(times));
  return ok;
}

}  // namespace lesson14::sizes

int main(int argc, char** argv) {
  course::want_devices();
  course::ExperimentInfo info{"14_multi_gpu", "sizes",
                              "How long does an all-reduce take, by its size?"};
  info.takes_n = info.takes_reps = true;
  return course::run_experiment(info, argc, argv, lesson14::sizes::measure_sizes);
}
