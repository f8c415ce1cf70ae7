// SPDX-License-Identifier: MIT
// The last rung of compaction beside the library: sizes and shares of wanted elements. Program
// 07_vote_and_match.selects.
#include <cstdint>
#include <string>
#include <vector>

#include "common/cub_select.hpp"
#include "common/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/07_vote_and_match/select_waves.cuh"

namespace {

constexpr const char* kKeep[] = {"0", "1", "10", "50", "90", "100"};

bool measure(course::Experiment& e) {
  const std::vector<int> powers =
      e.device.emulated ? std::vector{14} : std::vector{20, 22, 24, 26, 28};
  course::Stopwatch watch(e.device, e.flush);
  course::Table times{"time", "sel_waves, by how many of a hundred are wanted", "us", {"n"}};
  course::Table factors{
      "cub", "Times as fast as CUB, by how many of a hundred are wanted", "", {"n"}};
  for (const char* const keep : kKeep) {
    times.columns.emplace_back(keep);
    factors.columns.emplace_back(keep);
  }
  bool ok = true;
  for (const int power : powers) {
    course::TableRow us{"2^" + std::to_string(power), {}}, factor = us;
    for (const char* const keep : kKeep) {
      const auto problem =
          course::make_select({e.device, std::size_t{1} << power, 256, 1, {{"keep", keep}}});
      const auto task = problem->task();
      course::CubCall library = course::cub_select(task);
      const int reps = e.device.emulated ? 1 : 15;
      problem->poison();
      const double theirs = watch.measure(library, reps).median_us;
      ok = ok && problem->judge(false).verdict.ok;
      problem->poison();
      const double ours = watch.measure([&] { lesson07::launch_sel_waves(task); }, reps).median_us;
      ok = ok && problem->judge(false).verdict.ok;
      us.values.push_back(ours);
      factor.values.push_back(theirs / ours);
    }
    times.rows.push_back(std::move(us));
    factors.rows.push_back(std::move(factor));
  }
  e.add(std::move(times));
  e.add(std::move(factors));
  if (!ok) std::printf("FAIL: a compaction was wrong\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"07_vote_and_match", "selects", "The last rung of compaction beside CUB."}, argc, argv,
      measure);
}
