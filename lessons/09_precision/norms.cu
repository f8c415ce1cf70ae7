// SPDX-License-Identifier: MIT
// RMSNorm by the shape of the matrix, beside a copy of the same bytes. Program 09_precision.norms.
#include <cstdio>
#include <string>

#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/09_precision/long_rows.cuh"

namespace {

struct Shape {
  std::size_t rows;
  const char* columns;
};

bool shapes(course::Experiment& e, course::Stopwatch& watch, const char* type,
            const char* residual) {
  const bool adds = std::string(residual) == "yes";
  course::Table table{
      std::string(type) + (adds ? ".residual" : ""),
      std::string("RMSNorm beside ") + (adds ? "two copies, with a residual, " : "a copy, ") + type,
      "",
      {"rows x columns", "any_shape us", "copy us", "x copy", "GB/s"}};
  bool ok = true;
  for (const auto& [rows, columns] :
       {Shape{8192, "4096"}, {512, "4096"}, {65536, "128"}, {128, "65536"}}) {
    const std::size_t few = e.device.small ? rows / 128 + 1 : rows;
    const std::size_t n = few * std::stoul(columns);
    const auto problem = course::make_rmsnorm(
        {e.device, n, 256, 1, {{"type", type}, {"columns", columns}, {"residual", residual}}});
    const course::RmsNorm task = problem->task();
    problem->poison();
    const double us = watch.measure([&] { lesson09::launch_any_shape(task); }).median_us;
    ok = ok && problem->judge(false).verdict.ok;
    const std::size_t bytes = n * course::bytes_of(task.stored);
    // A residual is a second matrix that is read, and a second one that is written.
    const double copy =
        watch
            .measure([&] {
              COURSE_CHECK(cudaMemcpyAsync(task.out, task.x, bytes, cudaMemcpyDeviceToDevice));
              if (!adds) return;
              COURSE_CHECK(
                  cudaMemcpyAsync(task.sum, task.residual, bytes, cudaMemcpyDeviceToDevice));
            })
            .median_us;
    table.rows.push_back({std::to_string(few) + " x " + columns,
                          {us, copy, us / copy, problem->bytes() / us / 1e3}});
  }
  e.add(std::move(table));
  return ok;
}

// Ways to share out a long row.
bool long_rows(course::Experiment& e, course::Stopwatch& watch) {
  const std::size_t rows = e.device.small ? 2 : 128;
  const auto problem =
      course::make_rmsnorm({e.device,
                            rows * 65536,
                            256,
                            1,
                            {{"type", "bf16"}, {"columns", "65536"}, {"residual", "no"}}});
  const course::RmsNorm task = problem->task();
  const lesson09::Rows<__nv_bfloat16> r(task);
  course::Table table{
      "long", std::to_string(rows) + " rows of 65536 bf16", "us", {"a row has", "time"}};
  bool ok = true;
  const auto add = [&](const char* what, auto launch) {
    problem->poison();
    table.rows.push_back({what, {watch.measure(launch).median_us}});
    ok = ok && problem->judge(false).verdict.ok;
  };
  add("a block of 1024 threads",
      [&] { lesson09::in_registers<8><<<static_cast<unsigned>(rows), 1024>>>(r); });
  add("the same, and its weights beside", [&] { lesson09::launch_weights_beside(r); });
  if (e.device.sm >= 90) {
    add("a cluster of 4 blocks", [&] { lesson09::launch_clusters(r, 4); });
    add("a cluster of 8 blocks", [&] { lesson09::launch_clusters(r, 8); });
  }
  e.add(std::move(table));
  return ok;
}

bool measure_norms(course::Experiment& e) {
  course::Stopwatch watch(e.device, e.flush);
  bool ok = shapes(e, watch, "bf16", "no");
  ok = shapes(e, watch, "bf16", "yes") && ok;
  ok = shapes(e, watch, "f32", "no") && ok;
  ok = long_rows(e, watch) && ok;
  if (!ok) std::printf("FAIL: a row is wrong\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"09_precision", "norms", "RMSNorm by the shape of the matrix, beside a copy."}, argc, argv,
      measure_norms);
}
