// SPDX-License-Identifier: MIT
// Exercise warp_find: the first of several, in all rows and lanes, or none.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

constexpr int kWanted = 42;

// Seeds that end in 1: in the third row, twice. 2: nowhere. 3: the last element. 4: the first. Others:
// here and there.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> x = random.ints(n, 100, 1000000);
  const std::uint64_t what = seed % 10;
  if (what == 1 && n > 96) x[70] = x[81] = x[n - 1] = kWanted;
  if (what == 3 && n > 0) x[n - 1] = kWanted;
  if (what == 4 && n > 0) x[0] = x[n / 2] = kWanted;
  if (what > 4)
    for (std::size_t k = 0; k < 5 && n > 0; ++k) x[random.size(0, n - 1)] = kWanted;
  Arrays in;
  in.set("x", x);
  in.set("wanted", std::vector<int>{kWanted});
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 100}) cases.add(n, 3);
  cases.add_as("n4096_1", 4096, 1);
  cases.add(500, 2);
  cases.add(500, 4);
  for (const std::uint64_t seed : {5, 16, 27, 38}) cases.add(200, seed);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 1; what < 10; what += 2) {
    const std::size_t n = random.size(97, 2000);
    cases.add(n, random.seed() * 10 + what);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const auto first = std::find(x.begin(), x.end(), kWanted) - x.begin();
  if (verdict.equal<unsigned>(out, "where", {static_cast<unsigned>(first)})) return;
  if (!out.has<unsigned>("where")) return;
  const unsigned actual = out.one<unsigned>("where");
  if (actual < x.size() && x[actual] == kWanted)
    verdict.because("wrong_value", "it stands there too, but " +
                                       text_of(static_cast<unsigned>(first)) +
                                       " is the first index");
  else if (actual < x.size())
    verdict.because("wrong_value", "another element stands there");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 32});
}
