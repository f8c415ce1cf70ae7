// SPDX-License-Identifier: MIT
// Exercise online_softmax: rows near zero, far from it, and rising.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <cmath>

using namespace course::exercise;

namespace {

// Seeds that end in 1: around 150. 2: around -150. 3: rising, so that nearly every element is a new
// maximum.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x = random.floats(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = static_cast<float>(i) / static_cast<float>(n);
    const std::uint64_t kind = seed % 10;
    x[i] = kind == 1   ? 150 + 3 * x[i]
           : kind == 2 ? -150 + 3 * x[i]
           : kind == 3 ? 20 * place + x[i]
                       : 4 * x[i];
  }
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 100}) cases.add(n, 4);
  cases.add_as("n1024", 1024, 3);
  for (const std::uint64_t seed : {1, 2, 3}) cases.add(64, seed);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t kind = 1; kind < 5; ++kind) {
    const std::size_t n = random.size(3, 400);
    cases.add(n, random.seed() * 10 + kind);
  }
}

// What the first element comes to if only whole rows of 32 are in the sum.
double first_without_tail(const std::vector<float>& x) {
  const std::size_t whole = x.size() / 32 * 32;
  double sum = 0;
  for (std::size_t i = 0; i < whole; ++i) sum += std::exp(double{x[i]} - x[0]);
  return 1 / sum;
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto x = c.in.get<float>("x");
  const double largest = x.empty() ? 0 : *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const float v : x) sum += std::exp(v - largest);
  std::vector<float> expected(x.size());
  double highest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected[i] = static_cast<float>(std::exp(x[i] - largest) / sum);
    highest = std::max(highest, double{expected[i]});
  }
  // A rounded difference of numbers up to 200 changes exp() by up to 2^-17 of it; then a few units for
  // every correction of the sum.
  if (verdict.near<float>(out, "y", expected, highest * 1e-4)) return;
  if (!out.has<float>("y")) return;
  const auto got = out.get<float>("y");
  const std::size_t tail = x.size() % 32;
  double all = 0;
  for (const float v : got) all += v;
  if (tail > 0 && !got.empty() &&
      (x.size() > 32 ? std::abs(got[0] / first_without_tail(x) - 1) < 1e-4 : std::isinf(got[0])))
    verdict.because("lost_tail", "in the sum " + the_last(tail));
  else if (std::isnan(all))
    verdict.because("wrong_value",
                    "there is NaN among them: exp() overflowed, or infinity minus infinity");
  else if (std::abs(all - 1) > 1e-3)
    verdict.because("wrong_value", "they add up to " + text_of(all) +
                                       " and not to 1: the sum is not that of the largest element");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 32});
}
