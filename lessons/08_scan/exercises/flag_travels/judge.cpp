// SPDX-License-Identifier: MIT
// Exercise flag_travels: blocks of 32 with no flags, all flags, and flags at random, dense and rare.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr std::size_t kWarp = 32;

// Block b has about one flag in 2^(b % 7) elements; block 7, 15, ... has none.
Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  std::vector<int> x = random.ints(n, 1, 1000);
  std::vector<int> draws = random.ints(n, 0, 63);
  std::vector<int> flags(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t kind = i / kWarp % 8;
    flags[i] = kind < 7 && draws[i] % (1 << kind) == 0 ? 1 : 0;
  }
  in.set("x", x);
  in.set("flags", flags);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {32, 96, 256, 1024}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 320, 3200, kWarp);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x"), flags = c.in.get<int>("flags");
  std::vector<int> right(x.size()), plain(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool first = i % kWarp == 0;
    right[i] = first || flags[i] != 0 ? x[i] : right[i - 1] + x[i];
    plain[i] = first ? x[i] : plain[i - 1] + x[i];
  }
  if (verdict.equal<int>(out, "out", right) || !out.has<int>("out")) return;
  if (out.get<int>("out") == plain)
    verdict.because("wrong_value", "it is the scan of each block as if there were no flags");
  else
    verdict.because("wrong_value",
                    "somewhere a sum goes across a flag, or stops where there is none");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
