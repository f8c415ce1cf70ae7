// SPDX-License-Identifier: MIT
// Exercise warp_compact: kept elements in their order. All are different, so that a wrong place is seen.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

// Seeds that end in 0: all are kept. 9: none. Others: another share in each row of 32.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> x(n);
  const auto what = static_cast<std::int64_t>(seed % 10);
  std::int64_t share = what;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 32 == 0 && what != 0 && what != 9) share = i == 0 ? 4 : random.between(0, 10);
    x[i] = random.between(1, 9) > share ? 1 + static_cast<int>(i * 7919 % 100003) : 0;
  }
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 4, 31, 32, 33, 64, 100, 1024}) cases.add(n, 4);
  cases.add(100, 10);
  cases.add(100, 9);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 0; what < 10; what += 2) {
    const std::size_t n = random.size(2, 2000);
    cases.add(n, random.seed() * 10 + what);
  }
  cases.add_random(random, 64, 1024, 32);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<int> expected;
  for (const int value : c.in.get<int>("x"))
    if (value != 0) expected.push_back(value);
  if (!verdict.equal<unsigned>(out, "count", {static_cast<unsigned>(expected.size())})) return;
  if (!out.has<int>("kept")) {
    verdict.fail("missing", "the output 'kept' is not there");
    return;
  }
  const std::vector<int> kept = out.get<int>("kept");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (kept[i] == expected[i]) continue;
    const std::string place = "kept[" + std::to_string(i) + "]";
    if (kept[i] == static_cast<int>(0xCDCDCDCDu))
      verdict.fail("wrong_value", "nobody wrote to " + place + ": there is a gap");
    else
      verdict.fail("wrong_value", place + " should be " + text_of(expected[i]) + " and is " +
                                      text_of(kept[i]) + ": the order is lost, or places are");
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 32});
}
