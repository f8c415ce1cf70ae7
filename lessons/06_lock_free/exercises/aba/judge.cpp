// SPDX-License-Identifier: MIT
// Exercise aba: no node belongs to two threads, and in the end every node is free again, once.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

constexpr unsigned kNone = 0xffffffffu;

// n free nodes, in any order, among more nodes that somebody else has. One seed has a large pool.
constexpr std::uint64_t kLarge = 7;

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::size_t size = seed == kLarge ? 100000 : n + 3;
  std::vector<unsigned> order(size), next(size, kNone);
  for (std::size_t i = 0; i < size; ++i) order[i] = static_cast<unsigned>(size - 1 - i);
  if (seed != kLarge)
    for (std::size_t i = size - 1; i > 0; --i) std::swap(order[i], order[random.size(0, i)]);
  for (std::size_t i = 0; i + 1 < n; ++i) next[order[i]] = order[i + 1];
  Arrays in;
  in.set("head", std::vector<unsigned long long>{n > 0 ? order[0] : kNone});
  in.set("next", next);
  in.set("nodes", std::vector<unsigned>{static_cast<unsigned>(n)});
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 3, 4, 6, 16}) cases.add(n);
  cases.add_as("n5_large", 5, kLarge);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) {
    const std::size_t n = random.size(2, 9);
    cases.add(n, 100 + random.seed());
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  if (!out.has<unsigned>("faults") || !out.has<unsigned>("left")) {
    verdict.fail("missing", "the run left no result");
    return;
  }
  const std::vector<unsigned> faults = out.get<unsigned>("faults"),
                              next = c.in.get<unsigned>("next");
  if (faults[1] > 0)
    return verdict.fail("wrong_value", "take() gave an index that is no node of the pool");
  if (faults[0] > 0)
    return verdict.fail("wrong_value",
                        "take() gave a node that another thread had taken and not "
                        "yet given back");
  std::vector<unsigned> expected;
  for (auto i = static_cast<unsigned>(c.in.one<unsigned long long>("head")); i != kNone;
       i = next[i])
    expected.push_back(i);
  std::vector<unsigned> left = out.get<unsigned>("left");
  const auto end = std::find(left.begin(), left.end(), kNone);
  if (end == left.end())
    return verdict.fail("wrong_value", "in the end the list has more than the " +
                                           std::to_string(c.n) +
                                           " free nodes: it runs in a circle, or has a stranger");
  left.erase(end, left.end());
  std::sort(left.begin(), left.end());
  std::sort(expected.begin(), expected.end());
  if (left.size() < expected.size())
    return verdict.fail("wrong_value", "all nodes were given back, but only " +
                                           std::to_string(left.size()) + " of " +
                                           std::to_string(expected.size()) +
                                           " are in the list: the others are lost");
  if (left != expected)
    verdict.fail("wrong_value", "in the end the free nodes are not those of the beginning");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
