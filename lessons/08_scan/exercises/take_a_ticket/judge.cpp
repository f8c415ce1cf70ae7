// SPDX-License-Identifier: MIT
// Exercise take_a_ticket: more blocks than are on the GPU at the same time, and fewer.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr std::size_t kTile = 32;

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("x", random.ints(n, 1, 1000));
  return in;
}

// The H200 has 132 multiprocessors, and each holds one of these blocks.
void visible(Cases& cases) {
  for (const std::size_t tiles : {1, 2, 140}) cases.add(tiles * kTile);
}

void hidden(Cases& cases, Random& random) { cases.add_random(random, 133, 150, kTile); }

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  std::vector<int> right(x.size()), tiles(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    right[i] = (i == 0 ? 0 : right[i - 1]) + x[i];
    tiles[i] = (i % kTile == 0 ? 0 : tiles[i - 1]) + x[i];
  }
  if (verdict.equal<int>(out, "out", right)) {
    if (!verdict.equal<unsigned>(out, "ticket", {0}))
      verdict.because("wrong_value", "the ticket must be 0 again for the next launch");
    return;
  }
  if (out.has<int>("out") && out.get<int>("out") == tiles)
    verdict.because("wrong_value", "each tile is scanned alone: what comes before it is missing");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
