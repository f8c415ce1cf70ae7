// SPDX-License-Identifier: MIT
// The last rungs beside the library: prefix sums over n, segmented sums over the number of segments.
// Program 08_scan.scans.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/cub_scan.hpp"
#include "common/cub_segments.hpp"
#include "common/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/08_scan/any_size.cuh"
#include "lessons/08_scan/segments.cuh"

namespace {

struct Pair {
  double ours, theirs;
};

// Both by the same problem, and both results judged.
template <class Problem, class Launch>
Pair measure_both(Problem& problem, course::CubCall library, Launch launch,
                  course::Stopwatch& watch, int reps, bool& ok) {
  problem.poison();
  const double theirs = watch.measure(library, reps).median_us;
  ok = ok && problem.judge(false).verdict.ok;
  problem.poison();
  const double ours = watch.measure(launch, reps).median_us;
  ok = ok && problem.judge(false).verdict.ok;
  return {ours, theirs};
}

bool scans(course::Experiment& e, course::Stopwatch& watch, const char* type) {
  const int first = e.device.emulated ? 12 : 10, last = e.device.emulated ? 14 : 30;
  course::Table table{type,
                      std::string("any_size beside CUB and a copy, ") + type,
                      "",
                      {"n", "any_size us", "CUB us", "x CUB", "copy us", "% of a copy"}};
  bool ok = true;
  for (int power = first; power <= last; power += e.device.emulated ? 2 : 1) {
    const std::size_t n = std::size_t{1} << power;
    const auto problem = course::make_scan({e.device, n, 256, 1, {{"type", type}}});
    const course::Scan task = problem->task();
    const int reps = e.device.emulated ? 1 : power < 24 ? 31 : 15;
    const Pair pair = measure_both(
        *problem, course::cub_scan(task), [&] { lesson08::launch_any_size(task); }, watch, reps,
        ok);
    const double copy =
        watch
            .measure(
                [&] {
                  COURSE_CHECK(cudaMemcpyAsync(task.out, task.in, 4 * n, cudaMemcpyDeviceToDevice));
                },
                reps)
            .median_us;
    table.rows.push_back(
        {"2^" + std::to_string(power),
         {pair.ours, pair.theirs, pair.theirs / pair.ours, copy, 100 * copy / pair.ours}});
  }
  e.add(std::move(table));
  return ok;
}

bool segments(course::Experiment& e, course::Stopwatch& watch, const char* lengths) {
  const std::size_t n = std::size_t{1} << (e.device.emulated ? 14 : 26);
  course::Table table{lengths,
                      std::string("even_shares beside CUB, segments of ") + lengths + " lengths",
                      "",
                      {"segments", "even_shares us", "CUB us", "x CUB"}};
  bool ok = true;
  for (const char* const count : {"1", "16", "256", "4096", "65536", "1048576"}) {
    if (e.device.emulated && std::stoul(count) > 4096) continue;
    const auto problem =
        course::make_segments({e.device, n, 256, 1, {{"segments", count}, {"lengths", lengths}}});
    const course::Segments task = problem->task();
    const Pair pair = measure_both(
        *problem, course::cub_segments(task), [&] { lesson08::launch_even_shares(task); }, watch,
        e.device.emulated ? 1 : 9, ok);
    table.rows.push_back({count, {pair.ours, pair.theirs, pair.theirs / pair.ours}});
  }
  e.add(std::move(table));
  return ok;
}

bool measure(course::Experiment& e) {
  course::Stopwatch watch(e.device, e.flush);
  bool ok = true;
  for (const char* const type : {"i32", "f32"}) ok = scans(e, watch, type) && ok;
  for (const char* const lengths : {"equal", "random"}) ok = segments(e, watch, lengths) && ok;
  if (!ok) std::printf("FAIL: a result was wrong\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment({"08_scan", "scans", "The last rungs beside CUB and a copy."}, argc,
                                argv, measure);
}
