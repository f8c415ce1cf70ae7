// SPDX-License-Identifier: MIT
// Exercise missing_barrier: the sum of its block of 256 for every element, around the sizes of a warp and of a block.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <numeric>

using namespace course::exercise;

namespace {

constexpr std::size_t kBlock = 256;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n, 1, 1000));  // no zeros: an element that is left out is seen
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 32, 33, 255, 256, 257, 1000, 2048}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 3000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected(c.n);
  for (std::size_t begin = 0; begin < c.n; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, c.n);
    std::fill(expected.begin() + begin, expected.begin() + end,
              std::accumulate(x.begin() + begin, x.begin() + end, 0));
  }
  if (verdict.equal<int>(out, "sums", expected) || !out.has<int>("sums")) return;
  const std::vector<int> actual = out.get<int>("sums");
  const bool less = std::equal(actual.begin(), actual.end(), expected.begin(), expected.end(),
                               [](int a, int e) { return a <= e && a >= 0; });
  if (less)
    verdict.because("wrong_value",
                    "parts of the sum are missing: somebody read them before they were added");
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
