// SPDX-License-Identifier: MIT
// Exercise warp_argmax: many equal elements, in different lanes and rounds, so that a tie that is
// decided by anything but the index is seen.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <limits>

using namespace course::exercise;

namespace {

constexpr int kLowest = std::numeric_limits<int>::min();

// Seeds that end in 1: all different, negative. 2: few different values. 3: all equal. 4: the largest
// three times, in a later round of a low lane and in an earlier round of higher lanes. 5: the lowest
// int everywhere. Others: of both signs.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t what = seed % 10;
  std::vector<int> x = random.ints(n, -1000000, 1000000);
  if (what == 1)
    for (std::size_t i = 0; i < n; ++i) x[i] = -1 - static_cast<int>(i * 7919 % 100003);
  if (what == 2) x = random.ints(n, -4, -1);
  if (what == 3) std::fill(x.begin(), x.end(), -7);
  if (what == 4 && n > 64) {
    x = random.ints(n, -9, 0);
    const std::size_t lane = random.size(1, 31);
    x[32 + lane] = x[64] = 5;
    x[32 + random.size(lane, 31)] = 5;
  }
  if (what == 5) std::fill(x.begin(), x.end(), kLowest);
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 5, 31, 32, 33, 100, 1024}) cases.add(n, 1);
  cases.add(20, 2);
  cases.add(200, 2);
  cases.add(100, 3);
  cases.add(100, 4);
  cases.add(20, 5);
  cases.add(333, 6);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 0; what < 10; ++what) {
    const std::size_t n = random.size(66, 1500);
    cases.add(n, random.seed() * 10 + what);
  }
  const std::size_t few = random.size(2, 31);
  cases.add(few, random.seed() * 10 + 2);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  // max_element gives the first of equal ones.
  const auto first = static_cast<unsigned>(std::max_element(x.begin(), x.end()) - x.begin());
  if (verdict.equal<unsigned>(out, "where", {first}) || !out.has<unsigned>("where")) return;
  const unsigned actual = out.one<unsigned>("where");
  if (actual >= x.size())
    verdict.because("wrong_value", "there is no element with this index");
  else if (x[actual] == x[first])
    verdict.because("wrong_value", "x[" + text_of(actual) + "] is as large as x[" + text_of(first) +
                                       "], but " + text_of(first) + " is the lower index");
  else
    verdict.because("wrong_value", "x[" + text_of(actual) + "] is " + text_of(x[actual]) +
                                       ", and x[" + text_of(first) + "] is " + text_of(x[first]));
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
