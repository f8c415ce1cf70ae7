// SPDX-License-Identifier: MIT
// The last rung of the histograms beside the library: sizes, samples, bins, inputs. Program
// 07_vote_and_match.histograms.
#include <cstdint>
#include <string>
#include <vector>

#include "common/arrays/cub_histogram.hpp"
#include "common/program/beside.cuh"
#include "lessons/07_vote_and_match/histogram_best.cuh"

namespace {

constexpr const char* kInputs[] = {"uniform", "zipf", "constant", "sorted"};

struct Shape {
  const char *sample, *bins;
};
constexpr Shape kShapes[] = {{"u8", "64"},   {"u8", "256"},   {"u32", "64"},
                             {"u32", "256"}, {"u32", "4096"}, {"u32", "65536"}};

bool measure_shape(course::Experiment& e, course::Stopwatch& watch, const Shape& shape) {
  const std::vector<int> powers =
      e.device.small ? std::vector{14} : std::vector{20, 22, 24, 26, 28};
  const int reps = e.device.small ? 1 : 15;
  const std::string id = std::string(shape.sample) + "_" + shape.bins;
  const std::string name = std::string(shape.sample) + ", " + shape.bins + " bins";
  course::families::BesideTables tables({"time_" + id, "hist_best, " + name, "us", {"n"}},
                                        {"cub_" + id, "Times as fast as CUB, " + name, "", {"n"}});
  for (const char* const input : kInputs) tables.column(input);
  for (const int power : powers) {
    tables.row("2^" + std::to_string(power));
    for (const char* const input : kInputs) {
      const auto problem = course::make_histogram(
          {e.device,
           std::size_t{1} << power,
           256,
           1,
           {{"sample", shape.sample}, {"bins", shape.bins}, {"input", input}}});
      const auto task = problem->task();
      course::CubCall library = course::cub_histogram(task);
      tables.add(measure_beside(
          *problem, watch, [&] { lesson07::launch_hist_best(task); }, library, reps));
    }
  }
  return tables.finish(e);
}

bool measure_histograms(course::Experiment& e) {
  course::Stopwatch watch(e.device, e.flush);
  bool ok = true;
  for (const Shape& shape : kShapes) ok = measure_shape(e, watch, shape) && ok;
  if (!ok) std::printf("FAIL: a histogram was wrong\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"07_vote_and_match", "histograms", "The last rung of the histograms beside CUB."}, argc,
      argv, measure_histograms);
}
