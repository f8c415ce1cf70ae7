// SPDX-License-Identifier: MIT
// Exercise active_mask: rows with many, few, one and no positive elements.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

constexpr std::size_t kRow = 32;

// Each row has its own share of positive elements: none, some, or all.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> x(n);
  std::int64_t share = 8;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % kRow == 0 && i > 0) share = random.between(0, 16);
    const int size = static_cast<int>(random.between(1, 1000));
    x[i] = random.between(1, 16) <= share ? size : -size;
  }
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 4, 31, 32, 33, 128, 200, 1024}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  cases.add_random(random, 2, 31);
  cases.add_random(random, 2, 40, kRow);
  for (int k = 0; k < 3; ++k) cases.add_random(random, 33, 2000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected((c.n + kRow - 1) / kRow);
  for (std::size_t i = 0; i < c.n; ++i) expected[i / kRow] += std::max(x[i], 0);
  if (verdict.equal<int>(out, "sums", expected) || !out.has<int>("sums")) return;
  const std::vector<int> actual = out.get<int>("sums");
  if (actual.size() != expected.size()) return;
  std::size_t row = 0;
  while (row < actual.size() && actual[row] == expected[row]) ++row;
  if (row == actual.size()) return;
  if (actual[row] > 0 && actual[row] < expected[row])
    verdict.because("wrong_value", "it is a part of the sum of row " + std::to_string(row) +
                                       ": some of its positive elements are missing");
  else if (actual[row] == 0)
    verdict.because("wrong_value", "row " + std::to_string(row) +
                                       " has positive elements, and nobody wrote its sum");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
