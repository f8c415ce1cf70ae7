// SPDX-License-Identifier: MIT
// Exercise careful_sum: whole numbers, so that the exact sum is an integer.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

// Small numbers, and large ones of which most occur with both signs, in places far apart.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto large = static_cast<float>(random.between(1 << 24, 1 << 26));
    const auto small = static_cast<float>(random.between(1, 99));
    x[i] = i % 3 == 0 ? large : small;
  }
  for (std::size_t i = 0; i + 12 < n; i += 24)
    for (const std::size_t k : {0, 3, 6, 9})
      if (i + k + 12 < n) x[i + k + 12] = -x[i + k];
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 3, 31, 32, 33, 96, 200}) cases.add(n, 5);
  cases.add(400, 2);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 6; ++k) cases.add_random(random, 40, 400);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::int64_t sum = 0;
  for (const float v : c.in.get<float>("x")) sum += static_cast<std::int64_t>(v);
  if (verdict.equal<float>(out, "sum", {static_cast<float>(sum)})) return;
  if (!out.has<float>("sum")) return;
  const double off = static_cast<double>(out.one<float>("sum")) - static_cast<double>(sum);
  verdict.because("wrong_value", "the exact sum is " + std::to_string(sum) +
                                     "; this one is off by " + text_of(off) +
                                     ": something that was lost was not kept");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
