// SPDX-License-Identifier: MIT
// Exercise vector_index: every element, for several block sizes, with and without a rest in the
// last block.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

// The seed chooses the block size too, so that a case is named by n and seed alone.
constexpr unsigned kBlocks[] = {256, 64, 96, 128, 32};

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  in.set("a", random.ints(n, 1, 1000));
  in.set("b", random.ints(n, 1, 1000));
  in.set_one("block", kBlocks[(seed - 1) % std::size(kBlocks)]);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 256, 300, 1000}) cases.add(n);
  cases.add(64, 2);
  cases.add(200, 2);
  cases.add(960, 3);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 6; ++k) cases.add_random(random, 2, 3000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> a = c.in.get<int>("a"), b = c.in.get<int>("b");
  const auto block = c.in.one<unsigned>("block");
  std::vector<int> expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) expected[i] = a[i] + b[i];
  if (verdict.equal<int>(out, "c", expected) || !out.has<int>("c")) return;
  const std::vector<int> actual = out.get<int>("c");
  std::size_t right = 0;
  while (right < c.n && actual[right] == expected[right]) ++right;
  std::size_t later = right;
  while (later < c.n && actual[later] != expected[later]) ++later;
  const std::string sizes = "blocks of " + std::to_string(block) + " threads: ";
  if (right == block && later == c.n)
    verdict.because("wrong_value", sizes +
                                       "only the first block's elements are there; what do the "
                                       "threads of block 1 take for their element?");
  else
    verdict.because("wrong_value", sizes + "is every element the element of exactly one thread?");
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
