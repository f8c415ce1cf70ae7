// SPDX-License-Identifier: MIT
// Exercise bounds_check: every element, with and without a rest in the last block.
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
  for (const std::size_t n : {0, 1, 255, 256, 300, 1000}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 3000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) expected[i] = 3 * x[i];
  if (verdict.equal<int>(out, "x", expected) || !out.has<int>("x")) return;
  const std::vector<int> actual = out.get<int>("x");
  std::size_t right = 0;
  while (right < c.n && actual[right] == expected[right]) ++right;
  if (right >= c.n / 256 * 256)
    verdict.because("wrong_value",
                    "elements of the last block are not tripled: is the test too strict?");
  else
    verdict.because("wrong_value", "some elements are not tripled");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
