// SPDX-License-Identifier: MIT
// Exercise block_histogram: numbers that occur often and seldom, blocks with fewer and more threads
// than counters.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <numeric>

using namespace course::exercise;

namespace {

constexpr std::size_t kBins = 100;

// The seed chooses the grid too, so that a case is named by n and seed alone.
constexpr unsigned kGrids[][2] = {{8, 64}, {3, 128}, {1, 32}, {5, 96}};
// But what is timed fills a GPU.
constexpr unsigned kLargeGrid[] = {1024, 256};
constexpr std::size_t kLarge = 1 << 20;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  std::vector<int> x = random.ints(n, 0, static_cast<int>(kBins) - 1);
  // Every third element is one of four: lanes of a warp meet at the same counter.
  for (std::size_t i = 0; i < n; i += 3) x[i] = static_cast<int>(random.between(0, 3)) * 33;
  in.set("x", x);
  const auto& grid = n < kLarge ? kGrids[(seed - 1) % std::size(kGrids)] : kLargeGrid;
  in.set_one("blocks", grid[0]);
  in.set_one("threads", grid[1]);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 3, 64, 512, 513, 2000, 10000}) cases.add(n);
  cases.add(1000, 2);
  cases.add(300, 3);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 5; ++k) cases.add_random(random, 2, 4000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const auto threads = c.in.one<unsigned>("threads");
  std::vector<int> expected(kBins);
  for (const int v : x) ++expected[static_cast<std::size_t>(v)];
  if (verdict.equal<int>(out, "counts", expected) || !out.has<int>("counts")) return;
  const std::vector<int> actual = out.get<int>("counts");
  const long long sum = std::accumulate(actual.begin(), actual.end(), 0ll);
  const bool first_right = std::equal(
      actual.begin(), actual.begin() + std::min<std::size_t>(threads, kBins), expected.begin());
  if (c.n >= kBins && threads < kBins && first_right)
    verdict.because("wrong_value", "a block has " + std::to_string(threads) +
                                       " threads here, and counts[" + std::to_string(threads) +
                                       "] and above are wrong: who takes care of those?");
  else if (sum >= 0 && sum < static_cast<long long>(c.n))
    verdict.because(
        "wrong_value",
        "all counts together make " + std::to_string(sum) + ", not " + std::to_string(c.n) +
            ": some were lost. Does every counter have a thread that brings it (a block "
            "has " +
            std::to_string(threads) + " here), and does that thread wait until all have counted?");
  else if (sum > static_cast<long long>(c.n) && sum < 1000000)
    verdict.because("wrong_value", "all counts together make " + std::to_string(sum) + ", not " +
                                       std::to_string(c.n) + ": some were brought more than once");
  else
    verdict.because("wrong_value",
                    "what is in a block's counters before the first element is counted?");
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
