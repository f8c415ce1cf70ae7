// SPDX-License-Identifier: MIT
// Exercise private_sum: sums of grids that are smaller and larger than the array.
#include "common/exercise/judge.hpp"

#include <numeric>

using namespace course::exercise;

namespace {

// The seed chooses the grid too, so that a case is named by n and seed alone.
constexpr unsigned kGrids[][2] = {{8, 64}, {3, 128}, {1, 32}, {5, 96}};

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("x", random.ints(n, 1, 1000));
  const auto& grid = kGrids[(seed - 1) % std::size(kGrids)];
  in.set_one("blocks", grid[0]);
  in.set_one("threads", grid[1]);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 512, 513, 10000}) cases.add(n);
  cases.add(1000, 2);
  cases.add(300, 3);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 4000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const int expected = std::accumulate(x.begin(), x.end(), 0);
  if (verdict.equal<int>(out, "sum", std::vector<int>{expected}) || !out.has<int>("sum")) return;
  const int actual = out.get<int>("sum")[0];
  if (actual < expected)
    verdict.because("wrong_value",
                    "something is missing: elements that no thread takes, or an addition that "
                    "another thread wrote over");
  else
    verdict.because("wrong_value", "too much: some elements are added by more than one thread");
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
