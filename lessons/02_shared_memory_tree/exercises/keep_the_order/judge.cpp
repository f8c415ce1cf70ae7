// SPDX-License-Identifier: MIT
// Exercise keep_the_order: functions of the form a x + b, one after the other.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

constexpr unsigned kNothing = 0x00010000;

// An odd a, so that no product becomes 0 and forgets what came before.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> functions(n);
  for (unsigned& f : functions) f = static_cast<unsigned>(random.bits()) | kNothing;
  Arrays in;
  in.set("functions", functions);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 255, 256, 257, 4096}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 3, 2000);
}

unsigned then(unsigned f, unsigned g) {
  const unsigned a = (g >> 16) * (f >> 16), b = (g >> 16) * (f & 0xffff) + (g & 0xffff);
  return (a & 0xffff) << 16 | (b & 0xffff);
}

// The order in which a tree takes them that adds the second half to the first.
unsigned halves(std::vector<unsigned> s) {
  s.resize(256, kNothing);
  for (std::size_t half = 128; half > 0; half /= 2)
    for (std::size_t t = 0; t < half; ++t) s[t] = then(s[t], s[t + half]);
  return s[0];
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<unsigned> functions = c.in.get<unsigned>("functions");
  std::vector<unsigned> right, backwards, by_halves;
  for (std::size_t first = 0; first == 0 || first < c.n; first += 256) {
    const auto begin = functions.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<unsigned> own(
        begin, begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(256, c.n - first)));
    unsigned all = kNothing, turned = kNothing;
    for (const unsigned f : own) all = then(all, f), turned = then(f, turned);
    right.push_back(all);
    backwards.push_back(turned);
    by_halves.push_back(halves(own));
  }
  if (verdict.equal<unsigned>(out, "out", right) || !out.has<unsigned>("out")) return;
  const std::vector<unsigned> got = out.get<unsigned>("out");
  if (got == by_halves)
    verdict.because("wrong_value",
                    "the first half was combined with the second half, thread by thread: function "
                    "0 is followed by function 128 and not by function 1");
  else if (got == backwards)
    verdict.because("wrong_value", "the functions are all there, the last one first");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
