// SPDX-License-Identifier: MIT
// Exercise warp_in_step: the sum of all others in its block of 256 for every element, around the
// sizes of a warp and of a block.
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
  for (const std::size_t n : {0, 1, 3, 32, 33, 64, 255, 256, 257, 1024}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 1500);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) {
    const std::size_t begin = i / kBlock * kBlock, end = std::min(begin + kBlock, c.n);
    expected[i] = std::accumulate(x.begin() + static_cast<std::ptrdiff_t>(begin),
                                  x.begin() + static_cast<std::ptrdiff_t>(end), -x[i]);
  }
  if (verdict.equal<int>(out, "others", expected) || !out.has<int>("others")) return;
  const std::vector<int> actual = out.get<int>("others");
  std::size_t i = 0;
  while (i < c.n && actual[i] == expected[i]) ++i;
  if (i == c.n) return;
  if (actual[i] < expected[i])
    verdict.because("wrong_value",
                    "the sum of the block is too small: somebody read a part of it "
                    "before it was there");
  else
    verdict.because("wrong_value",
                    "the sum of the block is too large: somebody read a part when it "
                    "had been changed already, and added something twice");
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
