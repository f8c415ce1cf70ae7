// SPDX-License-Identifier: MIT
// Exercise steal_half: n tasks in one queue.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t) {
  Arrays in;
  in.set("ends", std::vector<unsigned long long>{static_cast<unsigned long long>(n) << 32});
  in.set("tasks", std::vector<unsigned>{static_cast<unsigned>(n)});
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 3, 64, 200}) cases.add(n, 1);
}

void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 3; ++i) cases.add_random(random, 2, 400);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  if (!out.has<unsigned>("visits")) return verdict.fail("missing", "no result");
  const auto visits = out.get<unsigned>("visits");
  std::size_t lost = 0, twice = 0;
  for (const unsigned v : visits) lost += v == 0, twice += v > 1;
  if (lost + twice == 0) return;
  verdict.fail("wrong_value", std::to_string(lost) + " of " + std::to_string(visits.size()) +
                                  " tasks were lost, " + std::to_string(twice) +
                                  " were run more than once");
  (void)c;
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
