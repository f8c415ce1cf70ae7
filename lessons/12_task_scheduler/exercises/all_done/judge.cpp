// SPDX-License-Identifier: MIT
// Exercise all_done: trees of all sizes.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace course::exercise;

namespace {

// A random tree in the order of its levels: the children of a node lie side by side.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> first(n), kids(n);
  std::size_t made = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t left = n - made,
                      open = made - i;  // nodes that have no parent yet; nodes without children yet
    const auto wanted = static_cast<std::size_t>(random.between(0, 3));
    const std::size_t least =
        open == 1 && left > 0 ? 1 : 0;  // somebody must be the parent of the rest
    kids[i] = static_cast<unsigned>(std::min(left, std::max(wanted, least)));
    first[i] = static_cast<unsigned>(made);
    made += kids[i];
  }
  Arrays in;
  in.set("first", first);
  in.set("kids", kids);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 5, 20, 60}) cases.add(n, n);
}

void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 3; ++i) cases.add_random(random, 2, 80);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  if (!out.has<unsigned>("visits")) return verdict.fail("missing", "no result");
  const auto visits = out.get<unsigned>("visits");
  std::size_t lost = 0, twice = 0;
  for (const unsigned v : visits) lost += v == 0, twice += v > 1;
  if (lost + twice == 0) {
    for (const unsigned at : out.get<unsigned>("left_at"))
      if (at != visits.size())
        return verdict.fail("wrong_value", "a thread left when " + std::to_string(at) + " of " +
                                               std::to_string(visits.size()) +
                                               " tasks had been run");
    return;
  }
  verdict.fail("wrong_value", std::to_string(lost) + " of " + std::to_string(visits.size()) +
                                  " tasks were lost, " + std::to_string(twice) +
                                  " were run more than once");
  (void)c;
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
