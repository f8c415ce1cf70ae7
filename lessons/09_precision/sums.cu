// SPDX-License-Identifier: MIT
// Every way to add: what it costs, and how wrong it is. Program 09_precision.sums.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "common/program/experiment.cuh"
#include "common/sums/cub_sum.hpp"
#include "common/sums/rounded_sum.hpp"
#include "common/timing.cuh"
#include "lessons/09_precision/sum_rungs.cuh"

namespace {

using course::Sums;

float written(const Sums& s) {
  float places[3];
  COURSE_CHECK(cudaMemcpy(places, s.out, sizeof places, cudaMemcpyDeviceToHost));
  for (const float place : places)
    if (std::bit_cast<std::uint32_t>(place) != 0xffffffffu) return place;
  return NAN;
}

// Of 24: how many leading bits of the sum are right.
double right_bits(double error, double truth) {
  if (error == 0) return 24;
  if (truth == 0) return 0;
  return std::clamp(-std::log2(std::abs(error / truth)), 0.0, 24.0);
}

bool errors(course::Experiment& e, const char* input) {
  const std::size_t n = std::size_t{1} << (e.device.small ? 15 : 22);
  const auto problem =
      course::make_sums({e.device, n, 256, 1, {{"input", input}, {"stored", "f32"}}});
  course::WideSum wide;
  auto x = course::sum_input(input, course::Stored::kF32, n + problem->kSpare, 1);
  x.resize(n);
  wide.add(x);
  const double truth = wide.to_double();
  course::Table table{std::string("errors.") + input,
                      std::string("Errors, input ") + input + ", condition " +
                          course::format_cell(wide.magnitudes() / std::abs(truth)),
                      "",
                      {"rung", "error in last places", "right bits of 24"}};
  bool ok = true;
  for (const auto& rung : lesson09::kSumRungs) {
    problem->poison();
    rung.launch(problem->task());
    COURSE_CHECK(cudaGetLastError());
    ok = ok && problem->judge(false).verdict.ok;
    const double error = written(problem->task()) - truth;
    const double last_place = truth == 0 ? 1 : std::ldexp(1.0, std::ilogb(truth) - 23);
    table.rows.push_back({rung.id, {std::abs(error) / last_place, right_bits(error, truth)}});
  }
  e.add(std::move(table));
  return ok;
}

bool times(course::Experiment& e, course::Stopwatch& watch, const char* stored) {
  // The CPU has to find out what is right, too.
  const int power = e.device.small ? 15 : std::string(stored) == "f32" ? 28 : 26;
  const std::size_t n = std::size_t{1} << power;
  const auto problem =
      course::make_sums({e.device, n, 256, 1, {{"input", "uniform"}, {"stored", stored}}});
  const Sums task = problem->task();
  course::Table table{std::string("times.") + stored,
                      "Times of " + course::format_size(n) + " numbers stored in " + stored,
                      "",
                      {"rung", "time us", "x running", "GB/s"}};
  bool ok = true;
  double running = 0;
  const auto add = [&](const char* name, double us) {
    if (running == 0) running = us;
    table.rows.push_back({name, {us, us / running, problem->bytes() / us / 1e3}});
  };
  for (const auto& rung : lesson09::kSumRungs) {
    problem->poison();
    add(rung.id, watch.measure([&] { rung.launch(task); }).median_us);
    ok = ok && problem->judge(false).verdict.ok;
  }
  if (task.stored == course::Stored::kF32) {
    auto library = course::cub_sum(static_cast<const float*>(task.in), n, &task.out->near);
    problem->poison();
    add("cub::DeviceReduce::Sum", watch.measure(library).median_us);
    ok = ok && problem->judge(false).verdict.ok;
  }
  e.add(std::move(table));
  return ok;
}

bool measure_sums(course::Experiment& e) {
  course::Stopwatch watch(e.device, e.flush);
  bool ok = true;
  for (const char* const stored : {"f32", "f16", "bf16"}) ok = times(e, watch, stored) && ok;
  for (const char* const input : {"positive", "uniform", "cancelling", "wide"})
    ok = errors(e, input) && ok;
  if (!ok) std::printf("FAIL: a sum breaks its promise\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"09_precision", "sums", "Every way to add: what it costs, and how wrong it is."}, argc, argv,
      measure_sums);
}
