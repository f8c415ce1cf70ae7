// SPDX-License-Identifier: MIT
// Exercise four_groups_maxima: groups of 8, the last one shorter. Half of the cases are negative.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <limits>

using namespace course::exercise;

namespace {

constexpr std::size_t kGroup = 8, kWarp = 32;
constexpr int kLowest = std::numeric_limits<int>::min();

// Odd seeds: only negative elements.
Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n, -1000000, seed % 2 ? -1 : 1000000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 3, 8, 9, 31, 32, 64, 65, 200}) cases.add(n);
  cases.add(64, 2);
  cases.add(999, 2);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) {
    cases.add_random(random, 2, 100);
    cases.add_random(random, 100, 2000);
  }
  const std::size_t groups = random.size(2, 100);
  cases.add(kGroup * groups, random.seed() * 2 + 1);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected((c.n + kGroup - 1) / kGroup, kLowest);
  std::vector<int> of_warp((c.n + kWarp - 1) / kWarp, kLowest);
  for (std::size_t i = 0; i < c.n; ++i) {
    expected[i / kGroup] = std::max(expected[i / kGroup], x[i]);
    of_warp[i / kWarp] = std::max(of_warp[i / kWarp], x[i]);
  }
  if (verdict.equal<int>(out, "maxima", expected) || !out.has<int>("maxima")) return;
  const std::vector<int> actual = out.get<int>("maxima");
  if (actual.size() != expected.size()) return;
  std::size_t g = 0;
  while (g < actual.size() && actual[g] == expected[g]) ++g;
  if (g == actual.size() || actual[g] == static_cast<int>(0xCDCDCDCDu)) return;
  const std::string group = "group " + std::to_string(g);
  if (actual[g] == 0 && expected[g] < 0)
    verdict.because("wrong_value", group +
                                       " has no element that large: what does a thread bring "
                                       "that has no element?");
  else if (actual[g] == of_warp[g / (kWarp / kGroup)])
    verdict.because("wrong_value",
                    "it is the maximum of the 32 elements of the warp, not of the "
                    "eight of " +
                        group);
  else if (std::find(expected.begin(), expected.end(), actual[g]) != expected.end())
    verdict.because("wrong_value",
                    "it is the maximum of another group: is this the place of " + group + "?");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
