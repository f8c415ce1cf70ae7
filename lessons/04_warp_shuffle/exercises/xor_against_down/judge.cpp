// SPDX-License-Identifier: MIT
// Exercise xor_against_down: rows of 32, the last one shorter.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <numeric>

using namespace course::exercise;

namespace {

constexpr std::size_t kRow = 32;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n, 1, 1000));  // no zeros: an element that is left out is seen
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 3, 31, 32, 33, 128, 200, 1024}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  cases.add_random(random, 2, 31);
  cases.add_random(random, 2, 40, kRow);
  for (int k = 0; k < 3; ++k) cases.add_random(random, 33, 2000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected(c.n);
  for (std::size_t row = 0; row < c.n; row += kRow) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(row);
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(std::min(row + kRow, c.n));
    const int sum = std::accumulate(begin, end, 0);
    for (std::size_t i = row; i < std::min(row + kRow, c.n); ++i) expected[i] = sum - x[i];
  }
  if (verdict.equal<int>(out, "others", expected) || !out.has<int>("others")) return;
  const std::vector<int> actual = out.get<int>("others");
  if (actual.size() != c.n) return;
  bool first_right = true, untouched = false, rows_right = true;
  for (std::size_t i = 0; i < c.n; ++i) {
    if (i < c.n / kRow * kRow) rows_right &= actual[i] == expected[i];
    if (i % kRow == 0) first_right &= actual[i] == expected[i];
    untouched |= actual[i] == static_cast<int>(0xCDCDCDCDu);
  }
  if (first_right && !untouched)
    verdict.because("wrong_value",
                    "the first element of every row is right and others are not: only lane 0 has "
                    "the sum of its row");
  else if (rows_right && !untouched)
    verdict.because(
        "wrong_value",
        "only the last row is wrong, which is shorter than 32: do the lanes behind its end come to "
        "the shuffles, and with 0?");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, kRow});
}
