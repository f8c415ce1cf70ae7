// SPDX-License-Identifier: MIT
// The problem of compaction: the CPU's answer, and a judge that sees every mistake.
#include "common/arrays/select.hpp"

#include <algorithm>
#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Select;
using course::families::Setup;

namespace {

auto made(std::size_t n, const char* keep) {
  return course::make_select(Setup{support::device(), n, 256, 1, {{"keep", keep}}});
}
// What the judge says of the right answer after `change`.
template <class Change>
course::families::Finding judged(bool any_order, Change change) {
  constexpr std::size_t kN = 1000;
  const auto problem = made(kN, "50");
  const Select s = problem->task();
  std::vector<std::uint32_t> x(kN), out(kN);
  COURSE_CHECK(cudaMemcpy(x.data(), s.in, 4 * kN, cudaMemcpyDeviceToHost));
  out.resize(course::cpu_select(x, s.threshold, std::span(out), 1));
  change(out);
  const std::uint64_t kept = out.size();
  COURSE_CHECK(cudaMemcpy(s.out, out.data(), 4 * out.size(), cudaMemcpyHostToDevice));
  COURSE_CHECK(cudaMemcpy(s.kept, &kept, sizeof kept, cudaMemcpyHostToDevice));
  return problem->judge(any_order);
}

}  // namespace

TEST_CASE("threads move what one loop moves, in the same order") {
  std::vector<std::uint32_t> x(1001);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint32_t>(i * 2654435761u);
  std::vector<std::uint32_t> one(x.size()), many(x.size());
  for (const std::uint32_t threshold : {0u, 1u << 30, 1u << 31}) {
    const std::size_t kept = course::cpu_select(x, threshold, std::span(one), 1);
    CHECK(kept == (threshold == 0 ? 0u : threshold == 1u << 31 ? x.size() : kept));
    for (const unsigned threads : {2u, 7u}) {
      CHECK(course::cpu_select(x, threshold, std::span(many), threads) == kept);
      CHECK(std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(kept), many.begin()));
    }
  }
}

TEST_CASE("the judge accepts the right elements and no others") {
  const auto same = [](auto&) {};
  const auto swapped = [](auto& out) { std::swap(out[3], out[4]); };
  const auto lost = [](auto& out) { out.pop_back(); };
  const auto twice = [](auto& out) { out[9] = out[8]; };
  CHECK(judged(false, same).verdict.ok);
  CHECK(judged(true, swapped).verdict.ok);
  CHECK(judged(false, swapped).where == "element 3");
  CHECK(judged(false, lost).where == "elements kept");
  CHECK_FALSE(judged(true, lost).verdict.ok);
  CHECK_FALSE(judged(true, twice).verdict.ok);
  CHECK(judged(false, twice).where == "element 9");
}

TEST_CASE("what is not written is not right, and what must move is counted") {
  const auto problem = made(100, "100");
  problem->poison();
  CHECK_FALSE(problem->judge(true).verdict.ok);
  CHECK(problem->bytes() == 2 * 400 + 8);
  problem->solve_on_cpu(3);
  CHECK(problem->judge_cpu().verdict.ok);
}
