// SPDX-License-Identifier: MIT
// Exercise lane_counters: values 0 to 15.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

// Seeds that end in 3: all alike. Others: all values.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned char> x(n);
  for (auto& v : x) v = static_cast<unsigned char>(seed % 10 == 3 ? 11 : random.between(0, 15));
  Arrays in;
  in.set("x", x);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 31, 63, 64, 65, 1000}) cases.add(n, 1);
  cases.add_as("n4096_1", 4096, 1);
  cases.add_as("n4096_3", 4096, 3);
}

void hidden(Cases& cases, Random& random) {
  for (const std::uint64_t what : {1, 3, 5}) {
    const std::size_t n = random.size(2, 3000);
    cases.add(n, random.seed() * 10 + what);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<unsigned> expected(16);
  for (const unsigned char v : c.in.get<unsigned char>("x")) ++expected[v];
  if (verdict.equal<unsigned>(out, "counts", expected) || !out.has<unsigned>("counts")) return;
  std::uint64_t all = 0;
  for (const unsigned count : out.get<unsigned>("counts")) all += count;
  if (all < c.in.get<unsigned char>("x").size())
    verdict.because("wrong_value",
                    "some elements were not counted: a lane's counters were not added");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
