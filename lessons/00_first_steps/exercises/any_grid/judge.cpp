// SPDX-License-Identifier: MIT
// Exercise any_grid: the seed chooses how many blocks of 64 threads there are.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr unsigned kBlocks[] = {2, 1, 3, 50};

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  in.set("x", random.ints(n, 1, 1000));
  in.set_one("blocks", kBlocks[(seed - 1) % std::size(kBlocks)]);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 128, 129, 1000}) cases.add(n);
  for (const std::uint64_t seed : {2, 3, 4}) cases.add(500, seed);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 3000);
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
  const std::size_t threads = 64 * std::size_t{c.in.one<unsigned>("blocks")};
  const std::string sizes = "with " + std::to_string(threads) + " threads: ";
  if (right == threads && all == right)
    verdict.because("wrong_value",
                    sizes + "the first element of each thread is done, and no other");
  else
    verdict.because("wrong_value", sizes + std::to_string(c.n - all) + " of " +
                                       std::to_string(c.n) + " elements are not done");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
