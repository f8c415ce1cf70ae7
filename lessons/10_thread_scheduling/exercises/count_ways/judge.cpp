// SPDX-License-Identifier: MIT
// Exercise count_ways: one request for each way of each warp.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  unsigned ways = 8, run = 1;
  if (seed != 1) {
    ways = 1u << random.between(0, 5);
    run = 1u << random.between(0, 7);
  }
  Arrays in;
  in.set("x", random.ints(n, 1, 1000));
  in.set("ways", std::vector<unsigned>{ways});
  in.set("run", std::vector<unsigned>{run});
  return in;
}

void visible(Cases& cases) {
  cases.add(4096, 1);
  for (std::uint64_t seed = 2; seed < 8; ++seed) cases.add(8192, seed);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 12; ++k) cases.add_random(random, 1, 4, 4096);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto ways = c.in.one<unsigned>("ways"), run = c.in.one<unsigned>("run");
  const auto n = static_cast<unsigned>(c.n);
  const unsigned runs = run < 32 ? 32 / run : 1, of_a_warp = ways < runs ? ways : runs;
  if (verdict.equal<unsigned>(out, "requests", {n / 32 * of_a_warp})) return;
  if (!out.has<unsigned>("requests")) return;
  const unsigned got = out.get<unsigned>("requests")[0];
  if (got == n)
    verdict.because("wrong_value", "that is a request for each thread: a warp sends one for all");
  else if (got == n / 32 * ways)
    verdict.because("wrong_value", "not every way occurs in every warp");
  else if (got == n / 32 * runs)
    verdict.because("wrong_value", "two runs of a warp may have the same way: they go it together");
  else
    verdict.because("wrong_value", "count the different ways among 32 elements in a row");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
