// SPDX-License-Identifier: MIT
// Exercise last_meeting: the sum, and minus three times the sum, on every rank.
#include "common/exercise/judge.hpp"

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
  for (const std::size_t n : {1, 32, 50}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 2, 60);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<float> expected(c.n);
  for (std::size_t r = 0; r < kCount; ++r) {
    const auto x = c.in.get<float>("in" + std::to_string(r));
    for (std::size_t i = 0; i < c.n; ++i) expected[i] += x[i] - 3 * x[i];
  }
  for (std::size_t r = 0; r < kCount; ++r)
    if (!verdict.equal<float>(out, "out" + std::to_string(r), expected))
      verdict.because("wrong_value",
                      "rank " + std::to_string(r) +
                          " has read numbers that their GPU had changed already, or not yet");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
