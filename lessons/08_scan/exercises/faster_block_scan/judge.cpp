// SPDX-License-Identifier: MIT
// Exercise faster_block_scan: rows of 1024 elements, each scanned by itself.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr std::size_t kRow = 1024;

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("x", random.ints(n, 1, 1000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t rows : {1, 3, 64}) cases.add(rows * kRow);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 2, 20, kRow);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> right(x.size()), exclusive(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    exclusive[i] = i % kRow == 0 ? 0 : right[i - 1];
    right[i] = exclusive[i] + x[i];
  }
  if (verdict.equal<int>(out, "out", right) || !out.has<int>("out")) return;
  if (out.get<int>("out") == exclusive)
    verdict.because("wrong_value", "each sum leaves out its own element: it is the exclusive scan");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
