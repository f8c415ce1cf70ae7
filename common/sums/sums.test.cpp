// SPDX-License-Identifier: MIT
// The problem of lesson 09's sums: its inputs, the three promises, and a judge for each.
#include "common/sums/sums.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "common/sums/rounded_sum.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Promises;
using course::Stored;
using course::families::Setup;

namespace {

auto made(const char* input, const char* stored, std::size_t n) {
  return course::make_sums(
      Setup{support::device(), n, 256, 1, {{"input", input}, {"stored", stored}}});
}
void write(const course::Sums& s, std::size_t place, float value) {
  COURSE_CHECK(cudaMemcpy(reinterpret_cast<unsigned char*>(s.out) + place, &value, sizeof value,
                          cudaMemcpyHostToDevice));
}

}  // namespace

TEST_CASE("inputs are what they are called, and can be stored") {
  for (const char* const stored : {"f32", "f16", "bf16"}) {
    const Stored type = course::stored_as(stored);
    for (const char* const input : {"uniform", "positive", "cancelling", "wide"}) {
      for (const float x : course::sum_input(input, type, 1000, 2)) {
        CHECK(std::isfinite(x));
        CHECK(course::nearest(type, x) == x);
      }
    }
  }
  for (const float x : course::sum_input("positive", Stored::kF32, 1000, 2)) CHECK(x >= 0);
  course::WideSum sum;
  sum.add(course::sum_input("cancelling", Stored::kF32, 10000, 2));
  CHECK(sum.magnitudes() > 1e5 * std::abs(sum.to_double()));
}

TEST_CASE("each promise has its judge") {
  const auto problem = made("uniform", "f32", 5000);
  const auto s = problem->task();
  const auto x = course::sum_input("uniform", Stored::kF32, 5003, 1);
  const auto part = std::span<const float>(x).first(5000);
  const float right = course::rounded_sum(part);
  const float next = std::nextafter(right, INFINITY);
  const auto judged = [&](std::size_t place, float value) {
    problem->poison();
    write(s, place, value);
    return problem->judge(false).verdict.ok;
  };
  CHECK(judged(offsetof(Promises, near), right));
  CHECK(judged(offsetof(Promises, near), next));
  CHECK_FALSE(judged(offsetof(Promises, near), right + 1));
  CHECK_FALSE(judged(offsetof(Promises, near), NAN));
  CHECK(judged(offsetof(Promises, rounded), right));
  CHECK_FALSE(judged(offsetof(Promises, rounded), next));
  CHECK(judged(offsetof(Promises, same), course::reproducible_sum(part)));
  CHECK_FALSE(judged(offsetof(Promises, same), next));
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);  // nobody has written
  problem->solve_on_cpu(1);
  CHECK(problem->judge_cpu().verdict.ok);
  problem->solve_on_cpu(3);
  CHECK(problem->judge_cpu().verdict.ok);
  CHECK(problem->bytes() == 20000);
  CHECK(made("wide", "bf16", 5000)->bytes() == 10000);
}
