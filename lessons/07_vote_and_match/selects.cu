// SPDX-License-Identifier: MIT
// The last rung of compaction beside the library: sizes and shares of wanted elements. Program
// 07_vote_and_match.selects.
#include <cstdint>
#include <string>
#include <vector>

#include "common/arrays/cub_select.hpp"
#include "common/program/beside.cuh"
#include "lessons/07_vote_and_match/select_waves.cuh"

namespace {

constexpr const char* kKeep[] = {"0", "1", "10", "50", "90", "100"};

bool measure_selects(course::Experiment& e) {
  const std::vector<int> powers =
      e.device.small ? std::vector{14} : std::vector{20, 22, 24, 26, 28};
  const int reps = e.device.small ? 1 : 15;
  course::Stopwatch watch(e.device, e.flush);
  course::families::BesideTables tables(
      {"time", "sel_waves, by how many of a hundred are wanted", "us", {"n"}},
      {"cub", "Times as fast as CUB, by how many of a hundred are wanted", "", {"n"}});
  for (const char* const keep : kKeep) tables.column(keep);
  for (const int power : powers) {
    tables.row("2^" + std::to_string(power));
    for (const char* const keep : kKeep) {
      const auto problem =
          course::make_select({e.device, std::size_t{1} << power, 256, 1, {{"keep", keep}}});
      const auto task = problem->task();
      course::CubCall library = course::cub_select(task);
      tables.add(measure_beside(
          *problem, watch, [&] { lesson07::launch_sel_waves(task); }, library, reps));
    }
  }
  const bool ok = tables.finish(e);
  if (!ok) std::printf("FAIL: a compaction was wrong\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"07_vote_and_match", "selects", "The last rung of compaction beside CUB."}, argc, argv,
      measure_selects);
}
