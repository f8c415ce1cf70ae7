// SPDX-License-Identifier: MIT
// Exercise first_barrier: n elements in three blocks of n / 3 threads.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  in.set("x", random.ints(n, 1, 1000000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t block : {32, 64, 256, 1024}) cases.add(3 * block);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 2, 30, 3 * 32);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const std::size_t block = c.n / 3;
  std::vector<int> expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) expected[i] = x[i / block * block + block - 1 - i % block];
  if (verdict.equal<int>(out, "x", expected)) return;
  verdict.because("wrong_value",
                  "blocks of " + std::to_string(block) +
                      " threads: an element is not the one from the other end of its "
                      "block; was it there already when it was read?");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
