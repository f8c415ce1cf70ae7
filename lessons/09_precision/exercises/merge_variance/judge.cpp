// SPDX-License-Identifier: MIT
// Exercise merge_variance: numbers around 0, 100 and 1000.
#include "common/exercise/judge.hpp"

#include <cmath>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x = random.floats(n);
  const float centre = seed % 3 == 0 ? 0.0f : seed % 3 == 1 ? 100.0f : 1000.0f;
  for (std::size_t i = 0; i < n; ++i) x[i] += centre + static_cast<float>(i % 5) * 0.5f;
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 100}) cases.add(n, 4);
  cases.add(500, 3);
  cases.add(500, 5);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 6; ++k) cases.add_random(random, 2, 600);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto x = c.in.get<float>("x");
  double mean = 0, variance = 0;
  for (const float v : x) mean += v / static_cast<double>(x.size());
  for (const float v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
  // The error of Welford's variance grows with the mean in units of the deviation, that of the mean is a
  // few roundings.
  const double bound = 30 * 0x1p-24 * (1 + std::abs(mean));
  const std::vector<float> expected = {static_cast<float>(mean), static_cast<float>(variance)};
  if (verdict.near<float>(out, "out", expected, bound)) return;
  if (!out.has<float>("out")) return;
  const auto got = out.get<float>("out");
  if (got.size() != 2) return;
  if (std::isnan(got[0]) || std::isnan(got[1]))
    verdict.because("wrong_value",
                    "there is NaN: two lanes that have seen nothing were merged as 0 / 0");
  else if (std::abs(got[0] - mean) <= bound && got[1] < variance)
    verdict.because("wrong_value", "the mean is right, but the variance is too small");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
