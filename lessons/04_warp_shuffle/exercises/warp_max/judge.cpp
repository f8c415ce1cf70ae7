// SPDX-License-Identifier: MIT
// Exercise warp_max: lengths around the warp's 32 and with a tail. The seed decides where the
// largest element is and whether there are elements that are not negative.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <limits>

using namespace course::exercise;

namespace {

constexpr std::size_t kWarp = 32;
constexpr int kLowest = std::numeric_limits<int>::min();

// Seeds that end in 1: negative, the largest last. 2: negative, the largest first. 3: near the
// lowest int. 4: all of them the lowest int. Others: of both signs, the largest anywhere.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t what = seed % 10;
  std::vector<int> x = random.ints(n, -1000000, what <= 2 ? -1000 : 1000000);
  if (what == 1 && n > 0) x.back() = -7;
  if (what == 2 && n > 0) x.front() = -7;
  if (what == 3) x = random.ints(n, kLowest, kLowest + 1000);
  if (what == 4) std::fill(x.begin(), x.end(), kLowest);
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 5, 31, 32, 33, 64, 100, 1024}) cases.add(n, 1);
  cases.add(100, 2);
  cases.add(100, 3);
  cases.add(40, 4);
  cases.add(100, 5);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 0; what < 10; ++what) {
    const std::size_t n = random.size(2, 1500);
    cases.add(what % 3 ? n : (n + 31) / kWarp * kWarp, random.seed() * 10 + what);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const auto largest_of = [&](std::size_t n) {
    int largest = kLowest;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, x[i]);
    return largest;
  };
  if (verdict.equal<int>(out, "largest", {largest_of(c.n)}) || !out.has<int>("largest")) return;
  const int actual = out.one<int>("largest");
  const std::size_t tail = c.n % kWarp;
  if (tail > 0 && actual == largest_of(c.n - tail))
    verdict.because("lost_tail", "it is the largest of the first " +
                                     count_of(c.n - tail, "element") + "; " +
                                     the_last(tail, "was not looked at", "were not looked at"));
  else if (actual > largest_of(c.n))
    verdict.because("wrong_value", text_of(actual) +
                                       " is larger than every element: with what does a lane "
                                       "begin that has no element?");
  else if (std::find(x.begin(), x.end(), actual) != x.end())
    verdict.because("wrong_value",
                    "it is an element, but not the largest: some lane's share does not reach "
                    "lane 0");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, kWarp});
}
