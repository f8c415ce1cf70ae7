// SPDX-License-Identifier: MIT
#include "common/sums/lesson.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/input.hpp"
#include "common/parallel.hpp"
#include "common/program/options.hpp"
#include "common/program/program.hpp"
#include "common/program/report.hpp"
#include "common/sums/cpu_sum.hpp"
#include "common/sums/cub_sum.hpp"
#include "common/sums/verification.cuh"
#include "common/sums/workspace.cuh"

namespace course {

namespace {

// The input that is timed, and its true sum.
template <class T>
struct TimedInput;
template <>
struct TimedInput<float> {
  TimedInput(std::size_t n, std::uint64_t seed) : x(random_floats(n, seed)), truth(exact_sum(x)) {}
  Verdict judge(float actual, double depth) const {
    return course::judge(actual, truth.sum, sum_error_bound(depth, truth.sum_abs));
  }
  std::vector<float> x;
  ExactSum truth;
};
template <>
struct TimedInput<int> {
  TimedInput(std::size_t n, std::uint64_t seed)
      : x(random_ints(n, seed)), truth(cpu_sum(std::span<const int>(x))) {}
  Verdict judge(int actual, double) const { return course::judge(actual, truth); }
  std::vector<int> x;
  int truth;
};

template <class T>
void add_row(Report& report, Row row) {
  const double us = row.timing.median_us;
  row.gbps = us > 0 ? static_cast<double>(report.n * sizeof(T)) / us / 1e3 : 0;
  report.rows.push_back(std::move(row));
}

template <class T>
void measure_cpu_rows(const TimedInput<T>& input, int reps, Report& report) {
  const std::span<const T> x(input.x);
  const unsigned threads = cpu_threads();
  volatile T kept{};  // volatile: the compiler must not drop the loop
  Row one{Row::Kind::Cpu, "cpu_1_thread", "one CPU core, one loop"};
  one.timing = time_cpu([&] { kept = cpu_sum(x); }, reps);
  one.verdict = input.judge(kept, static_cast<double>(x.size()));
  add_row<T>(report, std::move(one));
  Row all{Row::Kind::Cpu, "cpu_" + std::to_string(threads) + "_threads", "all CPU cores"};
  all.timing = time_cpu([&] { kept = cpu_sum_threads(x, threads); }, reps);
  all.verdict = input.judge(kept, static_cast<double>(x.size()));
  add_row<T>(report, std::move(all));
}

// Why this rung cannot run here; empty if it can.
template <class T>
std::string reason_to_skip(const Rung& rung, const Device& device) {
  if (launcher<T>(rung) == nullptr) return "it adds integers only (--type i32)";
  if (device.sm >= rung.least_sm) return "";
  return "it needs compute capability " + std::to_string(rung.least_sm / 10) + "." +
         std::to_string(rung.least_sm % 10);
}

template <class T>
void fill_rows(std::span<const Rung* const> rungs, const Options& options, Stopwatch& watch,
               Report& report) {
  const Device& device = report.device;
  std::vector<const Rung*> usable;
  for (const Rung* rung : rungs)
    if (reason_to_skip<T>(*rung, device).empty()) usable.push_back(rung);
  const auto verdicts = verify(usable, device, report.n, report.block, report.seed);

  const TimedInput<T> input(report.n, report.seed);
  if (report.rows.empty()) measure_cpu_rows(input, options.reps, report);
  Workspace<T> work(report.n, report.block, device);
  work.load(input.x);
  const Sum<T> sum = work.sum();
  std::size_t next = 0;
  for (const Rung* rung : rungs) {
    Row row{Row::Kind::Rung, rung->id, rung->idea};
    row.skipped = reason_to_skip<T>(*rung, device);
    if (row.skipped.empty()) row.verdict = verdicts[next++];
    if (row.skipped.empty() && row.verdict.ok) {
      work.poison();
      row.timing = watch.measure([&, launch = launcher<T>(*rung)] { launch(sum); }, options.reps);
      row.verdict = input.judge(work.result(), rung->depth(report.n, report.block, device));
    }
    add_row<T>(report, std::move(row));
  }
  Row row{Row::Kind::Library, "cub", "cub::DeviceReduce::Sum"};
  CubCall library = cub_sum(sum.in, sum.n, sum.out);
  work.poison();
  row.timing = watch.measure(library, options.reps);
  row.verdict = input.judge(work.result(), static_cast<double>(report.n));
  add_row<T>(report, std::move(row));
}

Report make_report(const Lesson& lesson, const Options& options, const Device& device) {
  Report report;
  report.lesson = lesson.name;
  report.type = options.integers ? "i32" : "f32";
  // On the emulator the largest n that takes seconds: the rungs must have something to differ in.
  report.n = options.n.value_or(std::uint64_t{1} << (device.small ? 22 : 26));
  report.seed = options.seed;
  report.block = options.block;
  report.device = device;
  report.flush = options.flush;
  if (!options.cpu_from.empty()) report.rows = cpu_rows_of(options.cpu_from, report);
  Stopwatch watch(device, options.flush);  // before the check: what it takes is not free any more
  check_fits(report.n, device);
  std::vector<const Rung*> rungs;
  for (const Rung& rung : lesson.rungs)
    if (asked_for(options.rungs, rung.id)) rungs.push_back(&rung);
  report.roof = measure_roof(device, watch);
  if (options.integers) {
    fill_rows<int>(rungs, options, watch, report);
  } else {
    fill_rows<float>(rungs, options, watch, report);
  }
  return report;
}

}  // namespace

int run_lesson(const Lesson& lesson, int argc, const char* const* argv) {
  Offered offered{{}};
  for (const auto& rung : lesson.rungs) offered.rungs.emplace_back(rung.id, rung.idea);
  Options options;
  if (const auto code = parse_options(lesson.name, lesson.question, offered, argc, argv, options))
    return *code;
  return run_program(lesson.name, options.json, [&](const Device& device) -> Worked {
    const Report report = make_report(lesson, options, device);
    print_table(report);
    return {report.ok(), to_json(report)};
  });
}

}  // namespace course
