// SPDX-License-Identifier: MIT
// Exercise lost_union: chains, stars and random graphs.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <numeric>

using namespace course::exercise;

namespace {

// n nodes. The seed: 1 a chain, 2 a star around the largest node, 3 all with all (few nodes); else random.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> edges, start(n);
  std::iota(start.begin(), start.end(), 0u);
  const auto count = static_cast<unsigned>(n);
  const auto add = [&](unsigned a, unsigned b) { edges.push_back(a), edges.push_back(b); };
  for (unsigned i = 0; i < count && seed == 1; ++i) add(i, i + 1 < count ? i + 1 : i);
  for (unsigned i = 0; i < count && seed == 2; ++i) add(count - 1, i);
  for (unsigned i = 0; i < count && seed == 3; ++i)
    for (unsigned j = 0; j < count; ++j) add(i, j);
  for (unsigned i = 0; i < count && seed > 3; ++i) {
    const auto a = static_cast<unsigned>(random.size(0, n - 1));
    add(a, static_cast<unsigned>(random.size(0, n - 1)));
  }
  Arrays in;
  in.set("edges", edges);
  in.set("start", start);
  return in;
}
void visible(Cases& cases) {
  cases.add(1, 4);
  cases.add_as("chain", 40, 1);
  cases.add_as("star", 40, 2);
  cases.add_as("all_with_all", 8, 3);
  cases.add(60, 5);
}
void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 2; ++i) {
    const std::size_t n = random.size(20, 100);
    cases.add(n, 10 + random.seed());
  }
}
void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto edges = c.in.get<unsigned>("edges");
  auto roots = c.in.get<unsigned>("start");
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t e = 0; e < edges.size(); e += 2) {
      unsigned &a = roots[edges[e]], &b = roots[edges[e + 1]];
      const unsigned least = std::min(a, b);
      changed |= a != b;
      a = b = least;
    }
  }
  if (verdict.equal<unsigned>(out, "roots", roots) || !out.has<unsigned>("roots")) return;
  const auto got = out.get<unsigned>("roots");
  for (std::size_t i = 0; i < roots.size(); ++i)
    if (got[i] > roots[i] && got[i] < roots.size())
      return verdict.because("wrong_value",
                             "two nodes that were united have different roots: a union was lost");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
