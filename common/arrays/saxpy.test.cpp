// SPDX-License-Identifier: MIT
// The problem of lesson 00: the CPU's answer, and a judge that sees every mistake.
#include "common/arrays/saxpy.hpp"

#include <cmath>
#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Saxpy;
using course::families::Setup;

namespace {

constexpr std::size_t kN = 1000;

// What the judge says of the right answer after `change`, for the elements from `first` on.
template <class Change>
course::families::Finding judged(std::size_t first, Change change) {
  const auto problem = course::make_saxpy(Setup{support::device(), kN, 256, 1});
  problem->take(first, kN - 1);
  problem->poison();
  const Saxpy s = problem->task();
  std::vector<float> x(s.n), y(s.n), out(s.n);
  COURSE_CHECK(cudaMemcpy(x.data(), s.x, 4 * s.n, cudaMemcpyDeviceToHost));
  COURSE_CHECK(cudaMemcpy(y.data(), s.y, 4 * s.n, cudaMemcpyDeviceToHost));
  course::cpu_saxpy(s.a, x, y, std::span(out), 1);
  change(out);
  COURSE_CHECK(cudaMemcpy(s.out, out.data(), 4 * out.size(), cudaMemcpyHostToDevice));
  return problem->judge(false);
}

}  // namespace

TEST_CASE("saxpy: threads compute what one loop computes") {
  std::vector<float> x(1001), y(1001), one(1001), many(1001);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 19);
    y[i] = static_cast<float>(i % 7);
  }
  course::cpu_saxpy(3, x, y, std::span(one), 1);
  CHECK(one[20] == 3 * 1 + 6);
  for (const unsigned threads : {2u, 7u}) {
    course::cpu_saxpy(3, x, y, std::span(many), threads);
    CHECK(one == many);
  }
}

TEST_CASE("saxpy: the judge accepts the right elements and no others") {
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
    CHECK(judged(first, [](auto&) {}).verdict.ok);
    CHECK(judged(first, [](auto& out) { out[7] += 1; }).where == "element 7");
    CHECK(judged(first, [](auto& out) { out.back() = NAN; }).where == "element 998");
    CHECK(judged(first, [](auto& out) { out.pop_back(); }).where == "element 998");
    CHECK(judged(first, [](auto& out) { out.push_back(0); }).where.find("outside") !=
          std::string::npos);
  }
}

TEST_CASE("saxpy: what is not written is not right, and every byte that must move counts") {
  const auto problem = course::make_saxpy(Setup{support::device(), 100, 256, 1});
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  CHECK(problem->bytes() == 1200);
  problem->solve_on_cpu(3);
  CHECK(problem->judge_cpu().verdict.ok);
}
