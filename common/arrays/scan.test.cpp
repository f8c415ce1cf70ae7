// SPDX-License-Identifier: MIT
// The problem of prefix sums: the CPU's answer, and a judge that sees every mistake.
#include "common/arrays/scan.hpp"

#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Scan;
using course::families::Setup;

namespace {

auto made(std::size_t n, const char* type) {
  return course::make_scan(Setup{support::device(), n, 256, 1, {{"type", type}}});
}
// What the judge says of the right answer after `change`.
template <class T, class Change>
course::families::Finding judged(const char* type, Change change) {
  constexpr std::size_t kN = 1000;
  const auto problem = made(kN, type);
  const Scan s = problem->task();
  problem->poison();  // fresh memory of a GPU holds anything
  std::vector<T> x(kN), out(kN);
  COURSE_CHECK(cudaMemcpy(x.data(), s.in, sizeof(T) * kN, cudaMemcpyDeviceToHost));
  course::cpu_scan<T>(x, out, 1);
  change(out);
  COURSE_CHECK(cudaMemcpy(s.out, out.data(), sizeof(T) * kN, cudaMemcpyHostToDevice));
  return problem->judge(false);
}

}  // namespace

TEST_CASE("threads scan as one loop does") {
  std::vector<int> x(1001);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 2654435761u);
  std::vector<int> one(x.size()), many(x.size());
  course::cpu_scan<int>(x, one, 1);
  CHECK(one[0] == x[0]);
  for (const unsigned threads : {2u, 7u}) {
    course::cpu_scan<int>(x, many, threads);
    CHECK(many == one);
  }
  course::cpu_scan<int>({}, {}, 3);
}

TEST_CASE("the judge accepts the right sums and no others") {
  const auto same = [](auto&) {};
  const auto lost = [](auto& out) { out.back() = out[998]; };
  const auto exclusive = [](auto& out) { out.insert(out.begin(), 0); };
  CHECK(judged<int>("i32", same).verdict.ok);
  CHECK(judged<float>("f32", same).verdict.ok);
  CHECK_FALSE(judged<int>("i32", lost).verdict.ok);
  CHECK(judged<int>("i32", lost).where == "element 999");
  CHECK(judged<int>("i32", exclusive).where == "element 0");
  CHECK(judged<float>("f32", exclusive).where == "element 0");
}

TEST_CASE("prefix sums that are not written are not right, and what must move is counted") {
  const auto problem = made(100, "f32");
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  CHECK(problem->bytes() == 2 * 400);
  problem->solve_on_cpu(3);
  CHECK(problem->judge_cpu().verdict.ok);
}
