// SPDX-License-Identifier: MIT
// Exercise rmsnorm_backwards: against the formula in double.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <cmath>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x = random.floats(n), w = random.floats(n), dy = random.floats(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = x[i] < 0 ? x[i] - 0.25f : x[i] + 0.25f;
    w[i] = 1.5f + 0.5f * w[i];
    dy[i] += x[i];  // so that the sum over the row does not vanish
  }
  Arrays in;
  in.set("x", x);
  in.set("w", w);
  in.set("dy", dy);
  in.set_one("epsilon", seed % 2 == 0 ? 1e-5f : 0.25f);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 64, 100}) cases.add(n, 4);
  cases.add(96, 5);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 500);
  for (int k = 0; k < 2; ++k) cases.add_random(random, 2, 12, 32);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto x = c.in.get<float>("x"), w = c.in.get<float>("w"), dy = c.in.get<float>("dy");
  const auto n = static_cast<double>(x.size());
  double squares = 0, dot = 0, sizes = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares += double{x[i]} * x[i];
    dot += double{w[i]} * dy[i] * x[i];
    sizes += std::abs(double{w[i]} * dy[i] * x[i]);
  }
  const double s = x.empty() ? 0 : 1 / std::sqrt(squares / n + c.in.one<float>("epsilon"));
  std::vector<float> expected(x.size());
  std::vector<double> straight(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    straight[i] = s * w[i] * dy[i];
    const double around = s * s * s / n * x[i];
    expected[i] = static_cast<float>(straight[i] - around * dot);
    largest = std::max({largest, std::abs(straight[i]), std::abs(around * sizes)});
  }
  // Sums of n / 32 + 5 additions, then a dozen operations.
  const double bound = (n / 32 + 20) * 0x1p-23 * largest;
  if (verdict.near<float>(out, "dx", expected, bound)) return;
  if (!out.has<float>("dx")) return;
  const auto got = out.get<float>("dx");
  bool constant = got.size() == straight.size() && got.size() > 1;
  for (std::size_t i = 0; constant && i < got.size(); ++i)
    constant = std::abs(got[i] - straight[i]) <= bound;
  if (constant)
    verdict.because("wrong_value",
                    "this is the gradient as if s did not depend on x; it is in every y");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 32});
}
