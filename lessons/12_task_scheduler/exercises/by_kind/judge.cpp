// SPDX-License-Identifier: MIT
// Exercise by_kind: n warps of tasks.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> kinds(32 * n);
  for (auto& kind : kinds) kind = static_cast<unsigned>(random.between(0, seed % 4 == 0 ? 1 : 7));
  Arrays in;
  in.set("kinds", kinds);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 4, 9}) cases.add(n, n);
}

void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 4; ++i) cases.add_random(random, 2, 40);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto kinds = c.in.get<unsigned>("kinds");
  std::vector<unsigned> order(kinds.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<unsigned>(i);
  for (std::size_t w = 0; w < order.size(); w += 32)
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(w),
                     order.begin() + static_cast<std::ptrdiff_t>(w + 32),
                     [&](unsigned a, unsigned b) { return kinds[a] < kinds[b]; });
  verdict.equal<unsigned>(out, "order", order);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
