// SPDX-License-Identifier: MIT
// Exercise right_or_wrong: of four sums the first is right. The element that is left out, or added
// twice, is as small as it may be if the bound is to tell: three times the bound or a little more.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

enum Kind { kRandom, kCancelling, kOneLarge, kTiny, kKinds };

Kind kind_of(std::uint64_t seed) { return static_cast<Kind>((seed - 1) % kKinds); }

std::vector<float> numbers(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x = random.floats(n);
  for (float& v : x)
    if (v == 0) v = 0.5f;
  const Kind kind = kind_of(seed);
  if (kind == kCancelling)
    for (std::size_t i = 0; i < n / 2; ++i) x[n - 1 - i] = -x[i];
  if (kind == kOneLarge)
    for (std::size_t i = 0; i < n; ++i) x[i] = i == 0 ? 0x1p24f : 1.0f;
  if (kind == kTiny)
    for (float& v : x) v *= 0x1p-30f;
  return x;
}

// Blocks of 32 threads: up to 32 additions in a block, then one for each block.
double additions_of(std::size_t n) { return 32 + static_cast<double>((n + 31) / 32); }

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  const std::vector<float> x = numbers(n, seed);
  double size = 0;
  for (const float v : x) size += std::fabs(v);
  const double bound = additions_of(n) * 0x1p-24 * size;
  std::size_t special = 0;  // if none is small enough: any that is large enough
  for (std::size_t i = 0; i < n; ++i) {
    const double v = std::fabs(x[i]), best = std::fabs(x[special]);
    if (v > 3 * bound && (v < best || best <= 3 * bound)) special = i;
  }
  in.set("x", x);
  in.set_one("special", static_cast<unsigned>(special));
  in.set_one("additions", additions_of(n));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 1000}) cases.add(n);
  cases.add_as("cancelling", 1000, 1 + kCancelling);
  cases.add_as("one_large", 1025, 1 + kOneLarge);
  cases.add_as("tiny", 700, 1 + kTiny);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 6; ++k) cases.add_random(random, 600, 2000);
}

const char* refused(Kind kind) {
  if (kind == kCancelling)
    return "a right sum is refused: positive and negative elements cancel here, so the sum is "
           "close to 0, and the rounding errors are not";
  if (kind == kOneLarge)
    return "a right sum is refused: one element is 2^24, and the others are 1. How many additions "
           "can lose a 1, and does your own sum lose some?";
  return "a right sum is refused: it was added in another order, and each addition rounds";
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const unsigned same = c.n == 0;  // without elements, nothing is left out
  const std::vector<unsigned> right{1, same, same, 0};
  if (verdict.equal<unsigned>(out, "accepted", right) || !out.has<unsigned>("accepted")) return;
  const std::vector<unsigned> got = out.get<unsigned>("accepted");
  if (got.size() != right.size()) return;
  if (!got[0])
    verdict.because("wrong_value", refused(kind_of(c.seed)));
  else if (got[1] != same || got[2] != same)
    verdict.because("wrong_value", same ? "the sum of nothing is 0, and it is refused"
                                        : "a sum that lacks an element, or has one twice, is "
                                          "accepted: the bound is too large for these numbers");
  else
    verdict.because("wrong_value", "NaN is accepted: every comparison with NaN is false");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
