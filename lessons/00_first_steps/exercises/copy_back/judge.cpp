// SPDX-License-Identifier: MIT
// Exercise copy_back: the numbers that the host has in the end.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  in.set("x", random.ints(n, 1, 1000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 4, 256, 1000}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 2, 4096);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) expected[i] = 3 * x[i];
  if (verdict.equal<int>(out, "x", expected) || !out.has<int>("x")) return;
  const std::vector<int> actual = out.get<int>("x");
  std::size_t right = 0;
  while (right < c.n && actual[right] == expected[right]) ++right;
  if (actual == x)
    verdict.because("wrong_value", "the host's array is as it was: the result did not come back");
  else if (right > 0 && right <= c.n / 4 + 1)
    verdict.because("wrong_value", "only the beginning came back: are those bytes, or elements?");
  else
    verdict.because("wrong_value", "not all of the result came back");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
