// SPDX-License-Identifier: MIT
// Exercise block_places: n blocks of 256 elements.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

// Seeds that end in 0: none is zero. 9: all are. Others: another share in each row of 32.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> x(256 * n);
  const auto what = static_cast<std::int64_t>(seed % 10);
  std::int64_t share = what;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % 32 == 0 && what != 0 && what != 9) share = random.between(0, 10);
    x[i] = random.between(1, 9) > share ? static_cast<int>(i) + 1 : 0;
  }
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  cases.add(1, 10);
  cases.add(1, 4);
  cases.add(2, 9);
  cases.add(4, 6);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 1; what < 9; what += 3) {
    const std::size_t n = random.size(1, 6);
    cases.add(n, random.seed() * 10 + what);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<unsigned> place(x.size(), 0xffffffffu), total(x.size() / 256);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] != 0) place[i] = total[i / 256]++;
  if (!verdict.equal<unsigned>(out, "place", place)) return;
  verdict.equal<unsigned>(out, "total", total);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
