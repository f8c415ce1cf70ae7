// SPDX-License-Identifier: MIT
// The problem of ways: the CPU's answer, and a judge that sees every mistake.
#include "common/arrays/ways.hpp"

#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Ways;
using course::families::Setup;

namespace {

auto made(std::size_t n, const char* ways = "4") {
  return course::make_ways(Setup{support::device(), n, 256, 1, {{"ways", ways}, {"steps", "2"}}});
}
// What the judge says of the right answer after `change`.
template <class Change>
course::families::Finding judged(Change change) {
  constexpr std::size_t kN = 1000;
  const auto problem = made(kN);
  const Ways w = problem->task();
  problem->poison();
  std::vector<std::uint32_t> x(kN), out(kN);
  COURSE_CHECK(cudaMemcpy(x.data(), w.in, 4 * kN, cudaMemcpyDeviceToHost));
  course::cpu_ways(x, out, w.ways, w.steps, 1);
  change(out);
  COURSE_CHECK(cudaMemcpy(w.out, out.data(), 4 * out.size(), cudaMemcpyHostToDevice));
  return problem->judge(false);
}

}  // namespace

TEST_CASE("an element goes its own way, so many steps") {
  const std::vector<std::uint32_t> x{0, 1u << 27, 2u << 27, 3u << 27};
  std::vector<std::uint32_t> out(4), threads(4);
  course::cpu_ways(x, out, 4, 1, 1);
  for (unsigned way = 0; way < 4; ++way)
    CHECK(out[way] == course::step_on(x[way], course::constants_of(way)));
  course::cpu_ways(x, threads, 4, 1, 3);
  CHECK(threads == out);
  course::cpu_ways(x, out, 2, 1, 1);
  CHECK(out[2] == course::step_on(x[2], course::constants_of(0)));
}

TEST_CASE("the judge of ways accepts the right words and no others") {
  CHECK(judged([](auto&) {}).verdict.ok);
  const auto lost = judged([](auto& out) { out[999] ^= 1; });
  CHECK_FALSE(lost.verdict.ok);
  CHECK(lost.where == "element 999");
  CHECK(judged([](auto& out) { out.push_back(7); }).where == "an element beside them was written");
}

TEST_CASE("ways that are not gone are not right, and what must move is counted") {
  const auto problem = made(100, "32");
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  CHECK(problem->bytes() == 800);
  CHECK(problem->task().ways == 32);
  problem->solve_on_cpu(3);
  CHECK(problem->judge_cpu().verdict.ok);
}
