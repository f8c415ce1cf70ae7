// SPDX-License-Identifier: MIT
// The problem of segmented sums: its segments, the CPU's answer, and a judge that sees every mistake.
#include "common/arrays/segments.hpp"

#include <algorithm>
#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Segments;
using course::families::Setup;

namespace {

auto made(std::size_t n, const char* lengths) {
  return course::make_segments(
      Setup{support::device(), n, 256, 1, {{"segments", "64"}, {"lengths", lengths}}});
}

}  // namespace

TEST_CASE("segments cover the array, in order, whatever their lengths") {
  for (const char* const lengths : {"equal", "random", "skewed"}) {
    for (const std::size_t n : {0, 1, 63, 1000}) {
      const auto offsets = course::segment_offsets(lengths, 64, n, 5);
      REQUIRE(offsets.size() == 65);
      CHECK(offsets.front() == 0);
      CHECK(offsets.back() == n);
      CHECK(std::is_sorted(offsets.begin(), offsets.end()));
    }
  }
  CHECK(course::segment_offsets("skewed", 4, 1000, 1)[1] == 500);
}

TEST_CASE("threads add up segments as one loop does, empty ones to nothing") {
  const std::vector<float> x = {1, 2, 4, 8, 16};
  const std::vector<std::uint32_t> offsets = {0, 0, 2, 5, 5};
  std::vector<float> out(4);
  for (const unsigned threads : {1u, 2u, 9u}) {
    std::fill(out.begin(), out.end(), -1.0f);
    course::cpu_segments(x, offsets, out, threads);
    CHECK(out == std::vector<float>{0, 3, 28, 0});
  }
}

TEST_CASE("the judge names the first segment that is wrong") {
  const auto problem = made(1000, "equal");
  const Segments s = problem->task();
  problem->solve_on_cpu(3);
  CHECK(problem->judge_cpu().verdict.ok);
  CHECK(problem->bytes() == 4 * 1000 + 8 * 64);
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);

  std::vector<float> x(1000), out(64);
  COURSE_CHECK(cudaMemcpy(x.data(), s.in, 4000, cudaMemcpyDeviceToHost));
  course::cpu_segments(x, course::segment_offsets("equal", 64, 1000, 1), out, 1);
  COURSE_CHECK(cudaMemcpy(s.out, out.data(), 256, cudaMemcpyHostToDevice));
  CHECK(problem->judge(false).verdict.ok);
  out[17] = out[16] + out[17] + 1;
  COURSE_CHECK(cudaMemcpy(s.out, out.data(), 256, cudaMemcpyHostToDevice));
  CHECK(problem->judge(false).where == "segment 17");
}

TEST_CASE("more elements than an offset can count are refused") {
  CHECK_THROWS(made(std::size_t{1} << 32, "equal"));
}
