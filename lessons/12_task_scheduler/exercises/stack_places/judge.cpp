// SPDX-License-Identifier: MIT
// Exercise stack_places: trees of all sizes.
#include "common/exercise/tree_visits.hpp"

using namespace course::exercise;

namespace {

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 5, 33, 300}) cases.add(n, n);
}

void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 3; ++i) cases.add_random(random, 2, 500);
}

void judge(const Case&, const Arrays& out, Judgement& verdict) { each_once(out, verdict); }

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {random_tree, visible, hidden, judge, 0});
}
