// SPDX-License-Identifier: MIT
// Exercise next_block: n clusters of four blocks.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr std::size_t kThreads = 64, kBlocks = 4;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n * kBlocks * kThreads, 1, 1000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 5}) cases.add(n);
}

void hidden(Cases& cases, Random& random) { cases.add_random(random, 3, 8); }

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> sums(c.n * kBlocks), expected(sums.size());
  for (std::size_t i = 0; i < x.size(); ++i) sums[i / kThreads] += x[i];
  for (std::size_t b = 0; b < sums.size(); ++b)
    expected[b] = sums[b] + sums[b / kBlocks * kBlocks + (b + 1) % kBlocks];
  if (verdict.equal<int>(out, "out", expected) || !out.has<int>("out")) return;
  const std::vector<int> actual = out.get<int>("out");
  std::size_t at = 0;
  while (actual[at] == expected[at]) ++at;
  const std::string block = "block " + std::to_string(at);
  if (actual[at] == sums[at])
    verdict.because("wrong_value", block + " has only its own sum");
  else if (actual[at] == 2 * sums[at])
    verdict.because("wrong_value", block + " has its own sum twice: whose address was read?");
  else if (at + 1 < sums.size() && actual[at] == sums[at] + sums[at + 1])
    verdict.because("wrong_value",
                    block + " is the last of its cluster, and its next is the first of it");
  else
    verdict.because("wrong_value",
                    block + ": was the sum of the next block complete when it was read?");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
