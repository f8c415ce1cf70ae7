// SPDX-License-Identifier: MIT
// Exercise ring_step: each rank has the sum of one part, and zeros elsewhere.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <string>

using namespace course::exercise;

namespace {

constexpr std::size_t kCount = 3;

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  for (std::size_t r = 0; r < kCount; ++r) {
    std::vector<float> x(n);
    for (float& v : x) v = static_cast<float>(random.between(1, 1000));
    in.set("in" + std::to_string(r), x);
  }
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {3, 7, 100, 2}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 4, 90);
}

std::size_t begin_of(std::size_t n, std::size_t part) {
  return n / kCount * part + std::min(n % kCount, part);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<float> sum(c.n);
  for (std::size_t r = 0; r < kCount; ++r) {
    const auto x = c.in.get<float>("in" + std::to_string(r));
    for (std::size_t i = 0; i < c.n; ++i) sum[i] += x[i];
  }
  for (std::size_t r = 0; r < kCount; ++r) {
    std::vector<float> expected(c.n);
    const std::size_t part = (r + 1) % kCount;
    for (std::size_t i = begin_of(c.n, part); i < begin_of(c.n, part + 1); ++i)
      expected[i] = sum[i];
    if (!verdict.equal<float>(out, "out" + std::to_string(r), expected))
      verdict.because("wrong_value", "rank " + std::to_string(r) +
                                         " does not have the sum of part " + std::to_string(part) +
                                         " of all ranks");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
