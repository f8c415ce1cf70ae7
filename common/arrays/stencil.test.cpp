// SPDX-License-Identifier: MIT
// The problem of the stencil: the CPU's answer at the ends, and a judge that sees every mistake.
#include "common/arrays/stencil.hpp"

#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::stencil_weight;

TEST_CASE("neighbours are weighed, and there are none outside") {
  const std::vector<std::uint32_t> x{1, 10, 100};
  std::vector<std::uint32_t> out(3), threads(3);
  course::cpu_stencil(x, out, 1, 1);
  CHECK(out[0] == stencil_weight(0) + 10 * stencil_weight(1));
  CHECK(out[1] == stencil_weight(-1) + 10 * stencil_weight(0) + 100 * stencil_weight(1));
  CHECK(out[2] == 10 * stencil_weight(-1) + 100 * stencil_weight(0));
  course::cpu_stencil(x, threads, 1, 5);
  CHECK(threads == out);
  course::cpu_stencil(x, out, 24, 1);
  CHECK(out[0] == stencil_weight(0) + 10 * stencil_weight(1) + 100 * stencil_weight(2));
}

TEST_CASE("the judge of the stencil accepts the right words and no others") {
  const auto problem = course::make_stencil({support::device(), 500, 256, 1, {{"reach", "8"}}});
  const auto s = problem->task();
  CHECK(s.reach == 8);
  std::vector<std::uint32_t> x(500), out(500);
  COURSE_CHECK(cudaMemcpy(x.data(), s.in, 2000, cudaMemcpyDeviceToHost));
  course::cpu_stencil(x, out, 8, 1);
  problem->poison();
  COURSE_CHECK(cudaMemcpy(s.out, out.data(), 2000, cudaMemcpyHostToDevice));
  CHECK(problem->judge(false).verdict.ok);
  course::cpu_stencil(x, out, 1, 1);
  COURSE_CHECK(cudaMemcpy(s.out, out.data(), 2000, cudaMemcpyHostToDevice));
  CHECK_FALSE(problem->judge(false).verdict.ok);
  problem->solve_on_cpu(2);
  CHECK(problem->judge_cpu().verdict.ok);
}
