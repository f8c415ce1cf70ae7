// SPDX-License-Identifier: MIT
// Exercise one_atomic_per_warp: which elements were kept, in any order. Elements are different, so
// that one that is there twice or not at all can be named.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

// Seeds that end in 0: all positive. 9: none. Others: a part of them, another one in each row of 32.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> x(n);
  const auto what = static_cast<std::int64_t>(seed % 10);
  std::int64_t share = what;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 32 == 0 && what != 0 && what != 9) share = i == 0 ? 4 : random.between(0, 10);
    const int value = 1 + static_cast<int>(i * 7919 % 100003);
    x[i] = random.between(1, 9) > share ? value : -value;
  }
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 4, 31, 32, 33, 128, 200, 1024}) cases.add(n, 4);
  cases.add(100, 10);
  cases.add(100, 9);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 0; what < 10; what += 2) {
    const std::size_t n = random.size(2, 2000);
    cases.add(n, random.seed() * 10 + what);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<int> expected;
  for (const int value : c.in.get<int>("x"))
    if (value > 0) expected.push_back(value);
  std::sort(expected.begin(), expected.end());
  if (!verdict.equal<unsigned>(out, "count", {static_cast<unsigned>(expected.size())})) return;
  if (!out.has<int>("kept")) {
    verdict.fail("missing", "the output 'kept' is not there");
    return;
  }
  std::vector<int> kept = out.get<int>("kept");
  if (kept.size() < expected.size()) {
    verdict.fail("wrong_value", "'kept' is too short");
    return;
  }
  kept.resize(expected.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == static_cast<int>(0xCDCDCDCDu)) {
      verdict.fail("wrong_value", "nobody wrote to kept[" + std::to_string(i) + "], and " +
                                      count_of(kept.size(), "element") +
                                      (kept.size() == 1 ? " was counted" : " were counted"));
      return;
    }
  }
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == expected[i]) continue;
    if (kept[i] > expected[i])
      verdict.fail("wrong_value", "the element " + text_of(expected[i]) + " was not kept");
    else
      verdict.fail("wrong_value", text_of(kept[i]) +
                                      " is in 'kept', but too often or not at all "
                                      "a positive element");
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
