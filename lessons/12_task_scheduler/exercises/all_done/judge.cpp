// SPDX-License-Identifier: MIT
// Exercise all_done: trees of all sizes.
#include "common/exercise/tree_visits.hpp"

using namespace course::exercise;

namespace {

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 5, 20, 60}) cases.add(n, n);
}

void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 3; ++i) cases.add_random(random, 2, 80);
}

void judge(const Case&, const Arrays& out, Judgement& verdict) {
  if (!each_once(out, verdict)) return;
  const std::size_t all = out.get<unsigned>("visits").size();
  for (const unsigned at : out.get<unsigned>("left_at"))
    if (at != all)
      return verdict.fail("wrong_value", "a thread left when " + std::to_string(at) + " of " +
                                             std::to_string(all) + " tasks had been run");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {random_tree, visible, hidden, judge, 0});
}
