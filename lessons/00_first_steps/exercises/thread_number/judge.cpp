// SPDX-License-Identifier: MIT
// Exercise thread_number: n blocks, whose size the seed chooses.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr unsigned kThreads[] = {256, 64, 96, 32};

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set_one("blocks", static_cast<unsigned>(n));
  in.set_one("threads", kThreads[(seed - 1) % std::size(kThreads)]);
  return in;
}

void visible(Cases& cases) {
  for (const std::uint64_t seed : {1, 2, 4}) cases.add(1, seed);
  for (const std::uint64_t seed : {1, 2, 3}) cases.add(4, seed);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 20);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto threads = c.in.one<unsigned>("threads");
  std::vector<unsigned> expected(c.n * threads);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<unsigned>(i);
  if (verdict.equal<unsigned>(out, "numbers", expected) || !out.has<unsigned>("numbers")) return;
  const std::vector<unsigned> actual = out.get<unsigned>("numbers");
  const std::string sizes = "blocks of " + std::to_string(threads) + " threads: ";
  if (c.n > 1 && actual[threads] == actual[0])
    verdict.because("wrong_value",
                    sizes + "the first threads of block 0 and of block 1 have the same number");
  else if (actual[0] == 0 && actual[1] == 1)
    verdict.because("wrong_value",
                    sizes + "how many threads come before the first one of block 1?");
  else
    verdict.because("wrong_value", sizes + "the numbers of block 0 must be 0, 1, 2, ...");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
