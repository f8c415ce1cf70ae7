// SPDX-License-Identifier: MIT
// The last rung of the histograms beside the library: sizes, samples, bins, inputs. Program
// 07_vote_and_match.histograms.
#include <cstdint>
#include <string>
#include <vector>

#include "common/cub_histogram.hpp"
#include "common/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/07_vote_and_match/histogram_best.cuh"

namespace {

constexpr const char* kInputs[] = {"uniform", "zipf", "constant", "sorted"};

bool measure(course::Experiment& e) {
  const std::vector<int> powers =
      e.device.emulated ? std::vector{14} : std::vector{20, 22, 24, 26, 28};
  course::Stopwatch watch(e.device, e.flush);
  bool ok = true;
  for (const auto& [sample, bins] :
       std::vector<std::pair<const char*, const char*>>{{"u8", "64"},
                                                        {"u8", "256"},
                                                        {"u32", "64"},
                                                        {"u32", "256"},
                                                        {"u32", "4096"},
                                                        {"u32", "65536"}}) {
    const std::string id = std::string(sample) + "_" + bins;
    course::Table times{
        "time_" + id, std::string("hist_best, ") + sample + ", " + bins + " bins", "us", {"n"}};
    course::Table factors{"cub_" + id,
                          std::string("Times as fast as CUB, ") + sample + ", " + bins + " bins",
                          "",
                          {"n"}};
    for (const char* const input : kInputs) {
      times.columns.emplace_back(input);
      factors.columns.emplace_back(input);
    }
    for (const int power : powers) {
      course::TableRow us{"2^" + std::to_string(power), {}}, factor = us;
      for (const char* const input : kInputs) {
        const auto problem =
            course::make_histogram({e.device,
                                    std::size_t{1} << power,
                                    256,
                                    1,
                                    {{"sample", sample}, {"bins", bins}, {"input", input}}});
        const auto task = problem->task();
        course::CubCall library = course::cub_histogram(task);
        const int reps = e.device.emulated ? 1 : 15;
        problem->poison();
        const double theirs = watch.measure(library, reps).median_us;
        ok = ok && problem->judge(false).verdict.ok;
        problem->poison();
        const double ours =
            watch.measure([&] { lesson07::launch_hist_best(task); }, reps).median_us;
        ok = ok && problem->judge(false).verdict.ok;
        us.values.push_back(ours);
        factor.values.push_back(theirs / ours);
      }
      times.rows.push_back(std::move(us));
      factors.rows.push_back(std::move(factor));
    }
    e.add(std::move(times));
    e.add(std::move(factors));
  }
  if (!ok) std::printf("FAIL: a histogram was wrong\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"07_vote_and_match", "histograms", "The last rung of the histograms beside CUB."}, argc,
      argv, measure);
}
