// SPDX-License-Identifier: MIT
// The problem of a histogram: its inputs, the CPU's answer, and a judge that sees every mistake.
#include "common/arrays/histogram.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Histogram;
using course::families::Setup;

namespace {

course::Chosen chosen(const char* sample, const char* bins, const char* input) {
  return {{"sample", sample}, {"bins", bins}, {"input", input}};
}
auto made(std::size_t n, const course::Chosen& words) {
  return course::make_histogram(Setup{support::device(), n, 256, 1, words});
}
// The right answer, from the CPU, and whatever is changed in it.
template <class Change>
course::families::Finding judged(std::size_t n, const course::Chosen& words, Change change) {
  const auto problem = made(n, words);
  const Histogram h = problem->task();
  std::vector<std::uint32_t> x(n), counts(h.bins);
  COURSE_CHECK(cudaMemcpy(x.data(), h.in, 4 * n, cudaMemcpyDeviceToHost));
  course::cpu_histogram(std::span<const std::uint32_t>(x), std::span(counts), 1);
  change(counts, h);
  COURSE_CHECK(cudaMemcpy(h.counts, counts.data(), 4 * counts.size(), cudaMemcpyHostToDevice));
  return problem->judge(false);
}

}  // namespace

TEST_CASE("threads count what one loop counts, and samples that are no bin are left out") {
  const std::vector<std::uint32_t> x{0, 3, 3, 7, 8, 0xffffffffu, 1, 3};
  for (const unsigned threads : {1u, 2u, 3u, 16u}) {
    std::vector<std::uint32_t> counts(8, 99);
    course::cpu_histogram(std::span<const std::uint32_t>(x), std::span(counts), threads);
    CHECK(counts == std::vector<std::uint32_t>{1, 1, 0, 3, 0, 0, 0, 1});
  }
}

TEST_CASE("inputs are what they are called") {
  const auto counts_of = [](const char* input) {
    const auto problem = made(10000, chosen("u32", "64", input));
    const Histogram h = problem->task();
    std::vector<std::uint32_t> x(h.n), counts(h.bins);
    COURSE_CHECK(cudaMemcpy(x.data(), h.in, 4 * h.n, cudaMemcpyDeviceToHost));
    course::cpu_histogram(std::span<const std::uint32_t>(x), std::span(counts), 1);
    const bool sorted = std::is_sorted(x.begin(), x.end());
    CHECK(sorted == (input == std::string("sorted") || input == std::string("constant")));
    return counts;
  };
  const auto sum = [](const auto& c) { return std::accumulate(c.begin(), c.end(), 0u); };
  const auto largest = [](const auto& c) { return *std::max_element(c.begin(), c.end()); };
  CHECK(sum(counts_of("uniform")) == 10000);
  CHECK(largest(counts_of("uniform")) < 220);
  CHECK(largest(counts_of("zipf")) > 1200);
  CHECK(largest(counts_of("constant")) == 10000);
  CHECK(largest(counts_of("sorted")) < 160);
  CHECK(sum(counts_of("stray")) < 9000);
}

TEST_CASE("the judge accepts the right counts and no others") {
  const auto words = chosen("u32", "256", "zipf");
  CHECK(judged(1000, words, [](auto&, const Histogram&) {}).verdict.ok);
  const auto off = judged(1000, words, [](auto& counts, const Histogram&) { ++counts[17]; });
  CHECK_FALSE(off.verdict.ok);
  CHECK(off.where == "bin 17");
  const auto left = judged(
      1000, words, [](auto&, const Histogram& h) { COURSE_CHECK(cudaMemset(h.words, 1, 4)); });
  CHECK_FALSE(left.verdict.ok);
  CHECK(left.where.find("scratch") != std::string::npos);
}

TEST_CASE("a part of the input has counts of its own") {
  const auto problem = made(100, chosen("u8", "64", "uniform"));
  problem->take(1, 50);
  CHECK(problem->task().n == 50);
  CHECK(problem->bytes() == 50 + 4 * 64);
  problem->solve_on_cpu(2);
  CHECK(problem->judge_cpu().verdict.ok);
  problem->take(0, 51);
  CHECK_FALSE(problem->judge_cpu().verdict.ok);
}

TEST_CASE("a byte has no more than 256 values") {
  CHECK_THROWS_AS(made(10, chosen("u8", "4096", "uniform")), course::UsageError);
}
