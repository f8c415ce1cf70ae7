// SPDX-License-Identifier: MIT
// Exercise group_in_a_branch: elements from 1 to 1000; the seed decides how many are above the limit.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

constexpr std::size_t kBlock = 128;

// Seeds that end in 0: all above. 9: none above. Others: between a tenth and nearly all.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> x = random.ints(n, 1, 1000);
  const int of_ten = static_cast<int>(seed % 10);
  Arrays in;
  in.set("x", x);
  in.set("limit", std::vector<int>{of_ten == 9 ? 1000 : 110 * of_ten});
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 4, 32, 100, 128, 129, 400}) cases.add(n, 4);
  cases.add(200, 10);
  cases.add(200, 9);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t of_ten = 0; of_ten < 10; of_ten += 2) {
    const std::size_t n = random.size(2, 1500);
    cases.add(n, random.seed() * 10 + of_ten);
  }
  const std::size_t blocks = random.size(2, 10);
  cases.add(kBlock * blocks, random.seed() * 10 + 5);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const int limit = c.in.one<int>("limit");
  std::vector<int> expected(std::max<std::size_t>(1, (c.n + kBlock - 1) / kBlock));
  std::vector<int> all(expected);
  for (std::size_t i = 0; i < c.n; ++i) {
    all[i / kBlock] += x[i];
    if (x[i] > limit) expected[i / kBlock] += x[i];
  }
  if (verdict.equal<int>(out, "sums", expected) || !out.has<int>("sums")) return;
  const std::vector<int> actual = out.get<int>("sums");
  if (actual.size() != expected.size()) return;
  std::size_t b = 0;
  while (b < actual.size() && actual[b] == expected[b]) ++b;
  if (b == actual.size()) return;
  const std::string block = "block " + std::to_string(b);
  if (actual[b] == all[b])
    verdict.because("wrong_value", "it is the sum of all elements of " + block +
                                       ", also of those that are not above the limit");
  else if (actual[b] < expected[b] && actual[b] >= 0)
    verdict.because("wrong_value", "the sums of some groups of " + block + " were not added");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
