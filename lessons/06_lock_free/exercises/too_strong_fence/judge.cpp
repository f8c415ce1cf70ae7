// SPDX-License-Identifier: MIT
// Exercise too_strong_fence: y must be right for whole chunks and for a last one that is not full.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

constexpr std::size_t kChunk = 256;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n, 1, 1000000));
  in.set("middle", std::vector<int>(n, -1));  // nothing that 3 * x + 1 can be
  in.set("ready", std::vector<unsigned>((n + kChunk - 1) / kChunk, 0u));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 63, 256, 257, 1024}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 2, 700);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> y(c.n);
  for (std::size_t begin = 0; begin < c.n; begin += kChunk) {
    const std::size_t end = std::min(begin + kChunk, c.n);
    for (std::size_t i = begin; i < end; ++i) y[i] = 3 * x[begin + end - 1 - i] + 1;
  }
  if (verdict.equal<int>(out, "y", y) || !out.has<int>("y")) return;
  const std::vector<int> actual = out.get<int>("y");
  for (std::size_t i = 0; i < std::min(c.n, actual.size()); ++i) {
    if (actual[i] == y[i]) continue;
    if (actual[i] == -1)
      verdict.because("wrong_value",
                      "y[" + std::to_string(i) +
                          "] is the -1 that was in middle before: it was read before "
                          "the other block's element was there, or an old one was");
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
