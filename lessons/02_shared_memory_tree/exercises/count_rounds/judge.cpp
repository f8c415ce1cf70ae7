// SPDX-License-Identifier: MIT
// Exercise count_rounds: step by step, which banks the working lanes of each warp want.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <array>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("x", random.ints(n, 1, 1000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t block : {64, 256}) cases.add(block);
}

void hidden(Cases& cases, Random&) {
  for (const std::size_t block : {128, 512, 1024}) cases.add(block);
}

// Of all warps, the rounds of one access: a thread's word, or none.
template <class WordOf>
unsigned rounds(unsigned block, WordOf word_of) {
  unsigned all = 0;
  for (unsigned first = 0; first < block; first += 32) {
    std::array<unsigned, 32> wanted{};
    for (unsigned t = first; t < first + 32; ++t)
      if (const int word = word_of(t); word >= 0) ++wanted[static_cast<unsigned>(word) % 32];
    all += *std::max_element(wanted.begin(), wanted.end());
  }
  return all;
}

std::vector<unsigned> count(unsigned block) {
  const unsigned rest = block / 32 + 1;
  std::vector<unsigned> found{rest, rest, rest};
  for (unsigned d = 1; d < block; d *= 2) {
    found[0] += 3 * rounds(block, [=](unsigned t) { return t % (2 * d) ? -1 : int(t); });
    found[1] +=
        3 * rounds(block, [=](unsigned t) { return 2 * d * t < block ? int(2 * d * t) : -1; });
    found[2] += 3 * rounds(block, [=](unsigned t) { return t < d ? int(t) : -1; });
  }
  return found;
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto block = static_cast<unsigned>(c.n);
  const std::vector<unsigned> right = count(block);
  if (verdict.equal<unsigned>(out, "rounds", right) || !out.has<unsigned>("rounds")) return;
  const std::vector<unsigned> got = out.get<unsigned>("rounds");
  if (got[2] == right[2] && got[0] == got[2])
    verdict.because("wrong_value",
                    "interleaved: threads 0, 2, 4, ... work; how many warps is that?");
  else if (got[2] == right[2] && got[1] == got[2])
    verdict.because("wrong_value", "strided: words 0, 2, 4, ...; how many lanes meet in bank 0?");
  else if (got[2] == right[2])
    verdict.because("wrong_value", "when 4 lanes work, at most 4 can meet in one bank");
  else
    verdict.because("wrong_value",
                    "count what happens before the first step, what a step reads and writes, and "
                    "what is read at the end");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
