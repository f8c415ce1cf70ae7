// SPDX-License-Identifier: MIT
// The last rungs beside the library: prefix sums over n, segmented sums over the number of segments.
// Program 08_scan.scans.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/arrays/cub_scan.hpp"
#include "common/arrays/cub_segments.hpp"
#include "common/program/beside.cuh"
#include "lessons/08_scan/any_size.cuh"
#include "lessons/08_scan/segments.cuh"

namespace {

using course::families::Beside;
using course::families::measure_beside;

// What nobody can do without: reading the array, and nothing else. Every block reads 4096 elements and
// ends, which on an H200 is faster than few blocks that read on and on.
__global__ void read_only(const float4* in, std::size_t fours, float* sink) {
  float4 v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const std::size_t i = std::size_t{blockIdx.x} * 1024 + k * 256 + threadIdx.x;
    v[k] = i < fours ? __ldcs(in + i) : float4{};
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  if (sum == 0.123f) *sink = sum;  // or the compiler would drop the loads
}

bool scans(course::Experiment& e, course::Stopwatch& watch, const char* type) {
  const int first = e.device.small ? 12 : 10, last = e.device.small ? 14 : 30;
  course::Table table{type,
                      std::string("any_size beside CUB and a copy, ") + type,
                      "",
                      {"n", "any_size us", "CUB us", "x CUB", "copy us", "% of a copy"}};
  bool ok = true;
  for (int power = first; power <= last; power += e.device.small ? 2 : 1) {
    const std::size_t n = std::size_t{1} << power;
    const auto problem = course::make_scan({e.device, n, 256, 1, {{"type", type}}});
    const course::Scan task = problem->task();
    const int reps = e.device.small ? 1 : power < 24 ? 31 : 15;
    course::CubCall library = course::cub_scan(task);
    const Beside both = measure_beside(
        *problem, watch, [&] { lesson08::launch_any_size(task); }, library, reps);
    ok = ok && both.ok;
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
         {both.ours_us, both.theirs_us, both.factor(), copy, 100 * copy / both.ours_us}});
  }
  e.add(std::move(table));
  return ok;
}

bool segments(course::Experiment& e, course::Stopwatch& watch, const char* lengths) {
  const std::size_t n = std::size_t{1} << (e.device.small ? 14 : 26);
  course::Table table{lengths,
                      std::string("any_length beside CUB, segments of ") + lengths + " lengths",
                      "",
                      {"segments", "any_length us", "CUB us", "x CUB", "reading alone us"}};
  bool ok = true;
  for (const char* const count :
       {"1", "16", "64", "256", "1024", "4096", "16384", "65536", "262144", "1048576"}) {
    if (e.device.small && std::stoul(count) > 4096) continue;
    const auto problem =
        course::make_segments({e.device, n, 256, 1, {{"segments", count}, {"lengths", lengths}}});
    const course::Segments task = problem->task();
    course::CubCall library = course::cub_segments(task);
    const int reps = e.device.small ? 1 : 9;
    const Beside both = measure_beside(
        *problem, watch, [&] { lesson08::launch_any_length(task); }, library, reps);
    ok = ok && both.ok;
    const double reading =
        watch
            .measure(
                [&] {
                  read_only<<<static_cast<unsigned>((n / 4 + 1023) / 1024), 256>>>(
                      reinterpret_cast<const float4*>(task.in), n / 4, task.out);
                  COURSE_CHECK(cudaGetLastError());
                },
                reps)
            .median_us;
    table.rows.push_back({count, {both.ours_us, both.theirs_us, both.factor(), reading}});
  }
  e.add(std::move(table));
  return ok;
}

bool measure_scans(course::Experiment& e) {
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
                                argv, measure_scans);
}
