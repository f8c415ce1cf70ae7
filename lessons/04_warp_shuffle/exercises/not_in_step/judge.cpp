// SPDX-License-Identifier: MIT
// Exercise not_in_step: every element gets the sum of its row of 32; the last row is shorter.
#include "common/exercise/judge.hpp"

#include <set>

using namespace course::exercise;

namespace {

constexpr std::size_t kRow = 32;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n, 1, 1000));  // no zeros: an element that is left out is seen
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
  std::vector<int> of_row((c.n + kRow - 1) / kRow), expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) of_row[i / kRow] += x[i];
  for (std::size_t i = 0; i < c.n; ++i) expected[i] = of_row[i / kRow];
  if (verdict.equal<int>(out, "sums", expected) || !out.has<int>("sums")) return;
  const std::vector<int> actual = out.get<int>("sums");
  if (actual.size() != c.n) return;
  for (std::size_t row = 0; row < c.n; row += kRow) {
    std::set<int> different;
    for (std::size_t i = row; i < c.n && i < row + kRow; ++i) different.insert(actual[i]);
    if (different.size() > 1) {
      verdict.because("wrong_value", "the lanes of row " + std::to_string(row / kRow) +
                                         " do not agree: some of them read a cell too early or too "
                                         "late");
      return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
