// SPDX-License-Identifier: MIT
// Exercise scope_between_gpus: every number, times two.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n, 1, 1000000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 32, 70}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 2, 100);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<int> expected = c.in.get<int>("x");
  for (int& v : expected) v *= 2;
  if (!verdict.equal<int>(out, "out", expected))
    verdict.because("wrong_value", "the second GPU has read a number that it could not see yet");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
