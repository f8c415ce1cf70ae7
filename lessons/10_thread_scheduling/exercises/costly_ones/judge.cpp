// SPDX-License-Identifier: MIT
// Exercise costly_ones: two treatments, one of them long.
#include "common/exercise/judge.hpp"

#include "lessons/10_thread_scheduling/treatments.cuh"

using namespace course::exercise;

namespace {

// Seeds that end in 3: none is costly. 5: all are. Others: one in eight, here and there.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> x(n);
  for (unsigned& v : x) {
    v = static_cast<unsigned>(random.between(1, 1000000)) * 8 + 1;
    const bool one_in_eight = random.between(0, 7) == 0;
    if (seed % 10 == 5 || (seed % 10 != 3 && one_in_eight)) v -= 1;
  }
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 255, 256, 257, 1000, 2048}) cases.add(n, 1);
  cases.add(300, 3);
  cases.add(300, 5);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 1; what < 6; ++what) {
    const std::size_t n = random.size(2, 1500);
    cases.add(n, random.seed() * 10 + what);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<unsigned> expected = c.in.get<unsigned>("x");
  for (unsigned& v : expected) v = is_costly(v) ? costly(v) : cheap(v);
  if (!verdict.equal<unsigned>(out, "out", expected))
    verdict.because("wrong_value",
                    "an element was left out, had the other treatment, or its result is at "
                    "another's place");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 256});
}
