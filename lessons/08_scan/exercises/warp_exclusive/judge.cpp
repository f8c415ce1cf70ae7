// SPDX-License-Identifier: MIT
// Exercise warp_exclusive: lengths around the warp's 32, and of several stretches with a tail.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr std::size_t kWarp = 32;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  // No zeros: an element that is left out, or counted twice, must be seen.
  std::vector<int> x = Random(seed).ints(n, 1, 1000);
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 5, 31, 32, 33, 64, 100, 1024}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  cases.add_random(random, 2, 31);
  cases.add_random(random, 2, 40, kWarp);
  for (int k = 0; k < 3; ++k) cases.add_random(random, 33, 2000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> right(x.size()), inclusive(x.size());
  int sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    right[i] = sum;
    sum += x[i];
    inclusive[i] = sum;
  }
  if (verdict.equal<int>(out, "out", right) || !out.has<int>("out")) return;
  const std::vector<int> actual = out.get<int>("out");
  if (actual == inclusive)
    verdict.because("wrong_value", "it is the inclusive scan: each sum has its own element in it");
  else if (!actual.empty() && actual[0] == x[0])
    verdict.because("wrong_value", "out[0] is x[0]: a shuffle gives lane 0 its own value back");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, kWarp});
}
