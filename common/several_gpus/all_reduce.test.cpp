// SPDX-License-Identifier: MIT
// The problem of lesson 14 with one rank: its answer, its judge, the memory that a rung gets.
#include "common/several_gpus/all_reduce.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace course;

namespace {

std::unique_ptr<families::ProblemOf<AllReduce>> of_one_rank(std::size_t n) {
  return make_all_reduce({support::device(), n, 128, 3, {{"ranks", "1"}}});
}

}  // namespace

TEST_CASE("arrays that lie behind each other are added into the first") {
  std::vector<float> arrays{1, 2, 10, 20, 100, 200};
  add_arrays(arrays.data(), 2, 3);
  CHECK(arrays[0] == 111);
  CHECK(arrays[1] == 222);
}

TEST_CASE("the sum of one rank is its own numbers") {
  const auto problem = of_one_rank(1000);
  problem->solve_on_cpu(2);
  CHECK(problem->judge_cpu().verdict.ok);
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  const AllReduce task = problem->task();
  COURSE_CHECK(cudaMemcpy(task.out[0], task.in[0], task.n * sizeof(float), cudaMemcpyDefault));
  CHECK(problem->judge(false).verdict.ok);
  COURSE_CHECK(cudaMemset(task.out[0] + 700, 0, sizeof(float)));
  CHECK(problem->judge(false).where == "number 700 of rank 0");
}

TEST_CASE("a rank that has waited in vain is named, and for whom") {
  const auto problem = of_one_rank(10);
  const AllReduce task = problem->task();
  COURSE_CHECK(cudaMemcpy(task.out[0], task.in[0], 40, cudaMemcpyDefault));
  const unsigned whom = 1 + 5;
  COURSE_CHECK(cudaMemcpy(task.gave_up[0], &whom, sizeof whom, cudaMemcpyHostToDevice));
  CHECK(problem->judge(false).where == "rank 0 waited in vain for rank 5");
  problem->poison();
  CHECK(problem->judge(false).where == "number 0 of rank 0");
}

TEST_CASE(
    "a part begins where it is told, and one rank alone has as many blocks as it has work for") {
  const auto problem = of_one_rank(100);
  const AllReduce whole = problem->task();
  problem->take(1, 99);
  CHECK(problem->task().in[0] == whole.in[0] + 1);
  CHECK(problem->task().n == 99);
  CHECK(whole.blocks == 1);
  CHECK(of_one_rank(1 << 19)->task().blocks == (1 << 19) / (8 * 128));
}
