// SPDX-License-Identifier: MIT
// Exercise most_urgent: few levels and many.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace course::exercise;

namespace {

// How many tasks of each level there are at first, and what the task that is run in each step makes: a task of that
// level, or none (32).
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> sizes(32), makes(n);
  const int levels = seed % 3 == 0 ? 3 : 31;
  for (std::size_t i = 0; i < n / 2 + 1; ++i)
    ++sizes[static_cast<std::size_t>(random.between(0, levels))];
  for (auto& m : makes)
    m = static_cast<unsigned>(random.between(0, 3) == 0 ? random.between(0, levels) : 32);
  Arrays in;
  in.set("sizes", sizes);
  in.set("makes", makes);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 10, 64, 300}) cases.add(n, n);
}

void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 4; ++i) cases.add_random(random, 2, 500);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  auto sizes = c.in.get<unsigned>("sizes");
  const auto makes = c.in.get<unsigned>("makes");
  std::vector<unsigned> order(makes.size());
  for (std::size_t step = 0; step < makes.size(); ++step) {
    const auto level = static_cast<std::size_t>(
        std::find_if(sizes.begin(), sizes.end(), [](unsigned s) { return s > 0; }) - sizes.begin());
    order[step] = static_cast<unsigned>(level);
    if (level == 32) continue;
    --sizes[level];
    if (makes[step] < 32) ++sizes[makes[step]];
  }
  verdict.equal<unsigned>(out, "order", order);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
