// SPDX-License-Identifier: MIT
// Exercise predict_error: the bound in double, and a little for what fp32 does on the way.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <cmath>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x = random.floats(n);
  for (float& v : x) v = v < 0 ? v - 0.5f : v + 0.5f;  // no small ones: a lost one is seen
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 5, 31, 32, 33, 64, 65, 100}) cases.add(n, 3);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 300);
  for (int k = 0; k < 2; ++k) cases.add_random(random, 2, 9, 32);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<float> x = c.in.get<float>("x");
  double sizes = 0, sum = 0;
  for (const float v : x) {
    sizes += std::abs(v);
    sum += v;
  }
  unsigned levels = 0;
  while ((std::size_t{1} << levels) < x.size()) ++levels;
  const double one = 0x1p-24 * sizes, additions = x.empty() ? 0 : static_cast<double>(x.size()) - 1;
  const std::vector<float> expected = {static_cast<float>(additions * one),
                                       static_cast<float>(levels * one)};
  if (verdict.near<float>(out, "bound", expected, 1e-3 * std::max(one, 1e-9))) return;
  if (!out.has<float>("bound")) return;
  const std::vector<float> got = out.get<float>("bound");
  if (got.size() != 2 || additions == 0) return;
  const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-3 * std::abs(b); };
  if (close(got[0], additions * 0x1p-24 * std::abs(sum)))
    verdict.because("wrong_value",
                    "this is made from |the sum|; the bound needs the sum of the magnitudes");
  else if (close(got[0], 2 * additions * one))
    verdict.because("wrong_value",
                    "it is twice the bound: a rounding changes half a unit in the last place");
  else if (close(got[0], (additions + 1) * one))
    verdict.because("wrong_value", "n elements are n - 1 additions");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 32});
}
