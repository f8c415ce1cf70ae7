// SPDX-License-Identifier: MIT
// Exercise last_ticket: a few blocks each, many small cases, because a store that is seen too late
// shows in some of them only.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <numeric>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("x", random.ints(n, 1, 1000));  // no zeros: an element that is left out is seen
  in.set("blocks", std::vector<unsigned>{static_cast<unsigned>(1 + seed % 10)});
  return in;
}

void visible(Cases& cases) {
  cases.add(0, 1);
  cases.add(1, 10);
  cases.add(4, 1);
  cases.add(64, 11);
  cases.add(200, 3);
  cases.add(500, 7);
  cases.add(1000, 9);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t blocks = 0; blocks < 10; blocks += 2) {
    const std::size_t n = random.size(2, 1000);
    cases.add(n, random.seed() * 10 + blocks);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const int sum = std::accumulate(x.begin(), x.end(), 0);
  if (verdict.equal<int>(out, "sum", {sum})) {
    if (!verdict.equal<unsigned>(out, "ticket", {0}))
      verdict.because("wrong_value", "the ticket must be 0 again for the next launch");
    return;
  }
  if (!out.has<int>("sum")) return;
  const int actual = out.one<int>("sum");
  if (actual == static_cast<int>(0xCDCDCDCDu))
    verdict.because("wrong_value", "nobody wrote the sum: did any block draw the last ticket?");
  else
    verdict.because("wrong_value", "the block that added had not seen the sums of all " +
                                       std::to_string(c.in.one<unsigned>("blocks")) + " blocks");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
