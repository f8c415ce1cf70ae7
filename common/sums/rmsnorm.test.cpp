// SPDX-License-Identifier: MIT
// The problem of RMSNorm: its rows, the CPU's answer, and a judge that sees every mistake.
#include "common/sums/rmsnorm.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "common/sums/stored.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::RmsNorm;
using course::Stored;
using course::families::Setup;

namespace {

auto made(std::size_t n, const char* columns, const char* residual) {
  return course::make_rmsnorm(
      Setup{support::device(),
            n,
            256,
            1,
            {{"type", "f32"}, {"columns", columns}, {"residual", residual}}});
}
std::vector<float> read(const void* from, std::size_t n) {
  std::vector<float> x(n);
  COURSE_CHECK(cudaMemcpy(x.data(), from, 4 * n, cudaMemcpyDeviceToHost));
  return x;
}
void write(void* to, const std::vector<float>& x) {
  COURSE_CHECK(cudaMemcpy(to, x.data(), 4 * x.size(), cudaMemcpyHostToDevice));
}

}  // namespace

TEST_CASE("threads normalise rows as one loop does") {
  const std::vector<float> x = {3, 4, 0, 0, 1, 1, 1, 1}, weight = {1, 1, 2, 1};
  for (const unsigned threads : {1u, 2u, 5u}) {
    std::vector<float> out(8, -1);
    course::cpu_rmsnorm(x, weight, 0, out, threads);
    CHECK(out == std::vector<float>{1.2f, 1.6f, 0, 0, 1, 1, 2, 1});
  }
}

TEST_CASE("elements are rows, as many as they fill") {
  CHECK(made(1000, "128", "no")->task().rows == 7);
  CHECK(made(100, "128", "no")->task().columns == 100);
  CHECK(made(0, "128", "no")->task().rows == 0);
  CHECK(made(256, "128", "no")->bytes() == 4 * (2 * 256 + 128));
  CHECK(made(256, "128", "yes")->bytes() == 4 * (4 * 256 + 128));
}

TEST_CASE("the judge names the first place that is wrong") {
  const auto problem = made(1000, "128", "no");
  const RmsNorm t = problem->task();
  problem->solve_on_cpu(2);
  CHECK(problem->judge_cpu().verdict.ok);
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  const auto x = read(t.x, 7 * 128), weight = read(t.weight, 128);
  std::vector<float> out(7 * 128);
  course::cpu_rmsnorm(x, weight, t.epsilon, out, 1);
  write(t.out, out);
  CHECK(problem->judge(false).verdict.ok);
  out[3 * 128 + 17] *= 1.001f;
  write(t.out, out);
  CHECK(problem->judge(false).where == "row 3, column 17");
  out[3 * 128 + 17] = NAN;
  write(t.out, out);
  CHECK_FALSE(problem->judge(false).verdict.ok);
  out.push_back(0);
  course::cpu_rmsnorm(x, weight, t.epsilon, out, 1);
  write(t.out, out);
  CHECK(problem->judge(false).where == "something around the rows was written");
}

TEST_CASE("the sum with the residual must be right to the last bit") {
  const auto problem = made(128, "128", "yes");
  const RmsNorm t = problem->task();
  auto sum = read(t.x, 128);
  const auto residual = read(t.residual, 128), weight = read(t.weight, 128);
  for (std::size_t i = 0; i < 128; ++i) sum[i] += residual[i];
  std::vector<float> out(128);
  course::cpu_rmsnorm(sum, weight, t.epsilon, out, 1);
  problem->poison();
  write(t.out, out);
  write(t.sum, sum);
  CHECK(problem->judge(false).verdict.ok);
  sum[5] = std::nextafter(sum[5], INFINITY);
  write(t.sum, sum);
  CHECK(problem->judge(false).where == "the sum with the residual, row 0, column 5");
}
