// SPDX-License-Identifier: MIT
// Exercise ordinary_launch: few blocks, and more than any GPU holds at once.
#include "common/exercise/judge.hpp"

#include <numeric>

using namespace course::exercise;

namespace {

// Seeds that end in 1 to 5 want as many blocks. 0: more than fit. Others: up to 40.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const auto what = static_cast<unsigned>(seed % 10);
  unsigned wanted = static_cast<unsigned>(random.between(6, 40));
  if (what >= 1 && what <= 5) wanted = what;
  if (what == 0) wanted = 20000;
  Arrays in;
  in.set("x", random.ints(n, 1, 1000));  // no zeros: an element that is left out is seen
  in.set("wanted", std::vector<unsigned>{wanted});
  return in;
}

void visible(Cases& cases) {
  cases.add(0, 1);
  cases.add(1, 2);
  cases.add(255, 1);
  cases.add(1000, 4);
  cases.add(3000, 7);
  cases.add(1001, 10);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 1; what < 10; what += 2) {
    const std::size_t n = random.size(2, 4000);
    cases.add(n, random.seed() * 10 + what);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  if (verdict.equal<int>(out, "sum", {std::accumulate(x.begin(), x.end(), 0)})) return;
  if (out.has<int>("sum") && out.one<int>("sum") != static_cast<int>(0xCDCDCDCDu))
    verdict.because("wrong_value", std::to_string(c.in.one<unsigned>("wanted")) +
                                       " blocks were wanted: did block 0 wait until all had "
                                       "written their sums?");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
