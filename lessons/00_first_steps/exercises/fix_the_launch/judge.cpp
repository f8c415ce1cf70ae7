// SPDX-License-Identifier: MIT
// Exercise fix_the_launch: multiples of 256, and others.
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
  for (const std::size_t n : {256, 512, 1024, 300, 1000}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 257, 6000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) expected[i] = 3 * x[i];
  if (verdict.equal<int>(out, "x", expected) || !out.has<int>("x")) return;
  const std::vector<int> actual = out.get<int>("x");
  std::size_t right = 0;
  while (right < c.n && actual[right] == expected[right]) ++right;
  if (c.n % 256 != 0 && right == c.n / 256 * 256)
    verdict.because(
        "lost_tail",
        "the elements behind the last whole block of 256 are not tripled: " + the_last(c.n % 256));
  else
    verdict.because("wrong_value",
                    "only the first " + std::to_string(right) + " elements are tripled");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 256});
}
