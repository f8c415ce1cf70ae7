// SPDX-License-Identifier: MIT
// Exercise overlap_copies: the sums of five pieces.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr std::size_t kCount = 5;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("pieces", Random(seed).ints(n * kCount, 1, 1000000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 32, 45}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 2, 60);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> pieces = c.in.get<int>("pieces");
  std::vector<int> expected(c.n), missing_last(c.n);
  for (std::size_t k = 0; k < kCount; ++k)
    for (std::size_t i = 0; i < c.n; ++i) {
      expected[i] += pieces[k * c.n + i];
      if (k + 1 < kCount) missing_last[i] += pieces[k * c.n + i];
    }
  if (verdict.equal<int>(out, "sums", expected)) return;
  if (out.has<int>("sums") && out.get<int>("sums") == missing_last)
    verdict.because("wrong_value", "the last piece is missing");
  else
    verdict.because("wrong_value",
                    "a piece was added before it had come, or another one had taken its place");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
