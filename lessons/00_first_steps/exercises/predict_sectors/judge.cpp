// SPDX-License-Identifier: MIT
// Exercise predict_sectors: n is how far apart the lanes are, and one more.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  in.set("x", random.floats(31 * (n - 1) + 1));
  in.set_one("apart", static_cast<unsigned>(n - 1));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t apart : {0, 1, 2, 3, 8, 32}) cases.add(apart + 1);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 5, 8);
  for (int k = 0; k < 3; ++k) cases.add_random(random, 10, 1000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto apart = c.in.one<unsigned>("apart");
  unsigned count = 1;
  for (unsigned lane = 1; lane < 32; ++lane) count += lane * apart / 8 != (lane - 1) * apart / 8;
  if (verdict.equal<unsigned>(out, "sectors", {count}) || !out.has<unsigned>("sectors")) return;
  const std::string told = std::to_string(apart) + " apart: ";
  if (out.get<unsigned>("sectors")[0] > 32)
    verdict.because("wrong_value", told + "32 lanes cannot touch more than 32 sectors");
  else if (apart == 0)
    verdict.because("wrong_value", told + "all lanes read the same word, and it lies in a sector");
  else
    verdict.because("wrong_value", told + "in how many different sectors are the 32 floats?");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
