// SPDX-License-Identifier: MIT
// Exercise lost_tail: every remainder of 4, below and above what one round of the grid takes.
#include "common/exercise/judge.hpp"

#include <numeric>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n, 1, 1000));  // no zeros: an element that is left out is seen
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 3, 4, 5, 128, 1023, 2048, 2049, 65539}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (std::size_t rest = 0; rest < 4; ++rest) {
    const std::size_t few = random.size(1, 500), many = random.size(600, 4000);
    cases.add(4 * few + rest, random.seed());
    cases.add(4 * many + rest, random.seed());
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const int sum = std::accumulate(x.begin(), x.end(), 0);
  if (verdict.equal<int>(out, "sum", {sum}) || !out.has<int>("sum")) return;
  const int actual = out.one<int>("sum");
  const std::size_t rest = c.n % 4;
  const int of_rest = std::accumulate(x.end() - static_cast<std::ptrdiff_t>(rest), x.end(), 0);
  if (rest == 0) return;
  if (actual == sum - of_rest)
    verdict.because("lost_tail", "it is the sum of the first " + count_of(c.n - rest, "element") +
                                     "; " + the_last(rest));
  else if (actual > sum && (actual - sum) % of_rest == 0)
    verdict.because("wrong_value", the_last(rest, "was", "elements were") + " added " +
                                       std::to_string((actual - sum) / of_rest + 1) + " times");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 4});
}
