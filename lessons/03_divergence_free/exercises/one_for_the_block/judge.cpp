// SPDX-License-Identifier: MIT
// Exercise one_for_the_block: the sum of squares, and whether enough blocks took part.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

// The most blocks that a launch may have. The seed chooses.
constexpr unsigned kMost[] = {16, 3, 40};

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("x", random.ints(n, 1, 100));
  in.set_one("most", kMost[(seed - 1) % std::size(kMost)]);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 256, 257, 4000, 16384}) cases.add(n);
  cases.add(3000, 2);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 2, 8000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  int expected = 0;
  for (const int v : x) expected += v * v;
  if (!verdict.equal<int>(out, "sum", {expected})) {
    if (!out.has<int>("sum")) return;
    unsigned poison;
    std::memset(&poison, 0xCD, sizeof poison);
    const auto got = static_cast<unsigned>(out.get<int>("sum")[0]);
    if (c.n > 0 && got == poison + static_cast<unsigned>(expected))
      verdict.because("wrong_value",
                      "the sum of the squares was added to what lay in *sum before: it must be 0 "
                      "when the first block adds");
    else if (expected > 0 && got % 256 == 0 && got == 256u * static_cast<unsigned>(expected))
      verdict.because("wrong_value",
                      "256 times too much: each of the block's threads added the block's sum");
    return;
  }
  const std::size_t most = c.in.get<unsigned>("most")[0];
  const std::size_t needed = std::max<std::size_t>(1, (c.n + 255) / 256);
  const auto enough = static_cast<unsigned>(std::min(needed, most));
  if (!out.has<unsigned>("blocks"))
    return verdict.fail("missing", "the number of blocks is missing");
  const unsigned blocks = out.get<unsigned>("blocks")[0];
  if (blocks < enough)
    verdict.fail("wrong_value", "the sum is right, and the grid had " + count_of(blocks, "block") +
                                    " where " + std::to_string(enough) +
                                    " are allowed and have something to do");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
