// SPDX-License-Identifier: MIT
// Exercise stride_loop: every thread's share, for grids of several shapes and arrays below, at and
// above their size.
#include "common/exercise/judge.hpp"

#include <numeric>

using namespace course::exercise;

namespace {

// The seed chooses the grid too, so that a case is named by n and seed alone.
constexpr unsigned kGrids[][2] = {{4, 128}, {3, 96}, {1, 32}, {5, 2}, {2, 50}};

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  in.set("a", random.ints(n, 1, 100));  // no zeros: an element that is left out is seen
  in.set("b", random.ints(n, 1, 100));
  const auto& grid = kGrids[(seed - 1) % std::size(kGrids)];
  in.set_one("blocks", grid[0]);
  in.set_one("threads", grid[1]);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 100, 511, 512, 513, 1024, 5000}) cases.add(n);
  cases.add(576, 2);
  cases.add(1000, 2);
  cases.add(64, 3);
  cases.add(23, 4);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) {
    cases.add_random(random, 2, 500);
    cases.add_random(random, 600, 5000);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> a = c.in.get<int>("a"), b = c.in.get<int>("b");
  const std::size_t blocks = c.in.one<unsigned>("blocks"), block = c.in.one<unsigned>("threads");
  const std::size_t threads = blocks * block, rounds = c.n / threads;
  // The right shares, and those of usual mistakes.
  std::vector<int> expected(threads), whole(threads), one(threads), overlapping(threads);
  for (std::size_t i = 0; i < c.n; ++i) {
    const int product = a[i] * b[i];
    expected[i % threads] += product;
    if (i < rounds * threads) whole[i % threads] += product;
    if (i < threads) one[i] = product;
    for (std::size_t t = i % block; t < threads && t <= i; t += block) overlapping[t] += product;
  }
  if (verdict.equal<int>(out, "shares", expected) || !out.has<int>("shares")) return;
  const std::vector<int> actual = out.get<int>("shares");
  const std::string grid = std::to_string(blocks) + (blocks == 1 ? " block of " : " blocks of ") +
                           std::to_string(block) + " threads: ";
  if (actual == whole)
    verdict.because("lost_tail", grid + "the first " + count_of(rounds * threads, "element") +
                                     " are there; " + the_last(c.n % threads));
  else if (actual == one)
    verdict.because("wrong_value", grid + "each thread has taken its first element only");
  else if (actual == overlapping)
    verdict.because(
        "wrong_value",
        grid +
            "each thread steps by a block's threads, not by those of the grid, so elements "
            "are taken more than once");
  else if (std::accumulate(actual.begin(), actual.end(), 0ll) ==
           std::accumulate(expected.begin(), expected.end(), 0ll))
    verdict.because(
        "wrong_value",
        grid + "all shares together are right, but the elements are divided in another way");
  else
    verdict.because("wrong_value", grid +
                                       "is the step the number of threads of this grid, and does "
                                       "every thread write its share?");
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
