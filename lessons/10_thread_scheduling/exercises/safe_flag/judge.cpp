// SPDX-License-Identifier: MIT
// Exercise safe_flag: each 32 values, times three, in the other direction.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> x(n);
  for (unsigned& v : x) v = static_cast<unsigned>(random.between(1, 1000000));
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {32, 96, 320}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 1, 12, 32);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<unsigned> x = c.in.get<unsigned>("x");
  std::vector<unsigned> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = 3 * x[i / 32 * 32 + 31 - i % 32];
  if (!verdict.equal<unsigned>(out, "out", expected))
    verdict.because("wrong_value", "a lane has read a word that was not written yet");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
