// SPDX-License-Identifier: MIT
// Exercise neighbours_together: multiples of the number of threads, and others.
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
  for (const std::size_t n : {1, 256, 1000, 4096}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 5000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) expected[i] = 3 * x[i];
  if (verdict.equal<int>(out, "out", expected) || !out.has<int>("out")) return;
  const std::vector<int> actual = out.get<int>("out");
  std::size_t right = 0, all = 0;
  while (right < c.n && actual[right] == expected[right]) ++right;
  for (std::size_t i = 0; i < c.n; ++i) all += actual[i] == expected[i];
  verdict.because("wrong_value", std::to_string(c.n - all) + " of " + std::to_string(c.n) +
                                     " elements are not done; the first is number " +
                                     std::to_string(right));
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
