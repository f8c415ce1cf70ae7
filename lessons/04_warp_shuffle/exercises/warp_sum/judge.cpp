// SPDX-License-Identifier: MIT
// Exercise warp_sum: lengths around the warp's 32, and of several warps' length with a tail.
#include "common/exercise/judge.hpp"

#include <numeric>

using namespace course::exercise;

namespace {

constexpr std::size_t kWarp = 32;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  // No zeros: an element that is left out must be seen.
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
  for (int k = 0; k < 4; ++k) cases.add_random(random, 33, 3000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const int sum = std::accumulate(x.begin(), x.end(), 0);
  if (verdict.equal<int>(out, "sum", {sum}) || !out.has<int>("sum")) return;
  const int actual = out.one<int>("sum");
  const std::size_t tail = c.n % kWarp;
  const int whole = std::accumulate(x.begin(), x.end() - static_cast<std::ptrdiff_t>(tail), 0);
  if (tail > 0 && actual == whole)
    verdict.because("lost_tail", "it is the sum of the first " + count_of(c.n - tail, "element") +
                                     "; " + the_last(tail));
  else if (c.n > 1 && actual == x[0])
    verdict.because("wrong_value", "it is x[0]: what the other lanes have never reaches lane 0");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, kWarp});
}
