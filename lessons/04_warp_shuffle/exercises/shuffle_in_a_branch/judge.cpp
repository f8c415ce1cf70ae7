// SPDX-License-Identifier: MIT
// Exercise shuffle_in_a_branch: prefix sums of rows of 32, the last one shorter.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr std::size_t kRow = 32;
constexpr unsigned kPoison = 0xCDCDCDCDu;  // what the emulator gives for a lane that is not there

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("x", Random(seed).ints(n, 1, 1000));  // no zeros: an element that is left out is seen
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 3, 31, 32, 33, 128, 200, 1024}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  cases.add_random(random, 2, 31);
  cases.add_random(random, 2, 40, kRow);
  for (int k = 0; k < 3; ++k) cases.add_random(random, 33, 2000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> expected(c.n);
  for (std::size_t i = 0; i < c.n; ++i) expected[i] = x[i] + (i % kRow ? expected[i - 1] : 0);
  if (verdict.equal<int>(out, "sums", expected) || !out.has<int>("sums")) return;
  const std::vector<int> actual = out.get<int>("sums");
  if (actual.size() != c.n) return;
  for (std::size_t i = 0; i < c.n; ++i) {
    if (actual[i] == expected[i]) continue;
    const std::string lane = "lane " + std::to_string(i % kRow);
    const unsigned more = static_cast<unsigned>(actual[i]) - static_cast<unsigned>(x[i]);
    if (more == kPoison)
      verdict.because("wrong_value", lane +
                                         " added the value of a lane that does not take part in "
                                         "its shuffle: it is undefined");
    else if (i % kRow == 0)
      verdict.because("wrong_value", "lane 0 has nobody below: it must add nothing");
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
