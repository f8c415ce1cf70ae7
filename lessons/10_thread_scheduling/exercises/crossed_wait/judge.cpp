// SPDX-License-Identifier: MIT
// Exercise crossed_wait: the lower half of each block adds what the upper half has.
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
  for (const std::size_t n : {32, 64, 320}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 1, 12, 32);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<unsigned> expected = c.in.get<unsigned>("x");
  for (std::size_t first = 0; first < expected.size(); first += 32) {
    unsigned sum = 0;
    for (std::size_t i = 16; i < 32; ++i) sum += expected[first + i];
    for (std::size_t i = 0; i < 16; ++i) expected[first + i] += sum;
  }
  if (!verdict.equal<unsigned>(out, "out", expected))
    verdict.because("wrong_value",
                    "a reader has added something that a writer had not written yet, or has "
                    "not waited");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
