// SPDX-License-Identifier: MIT
// Exercise ring_slot: scripts of pushes and pops on a queue; n is its capacity.
#include "common/exercise/history.hpp"

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("words", std::vector<unsigned>(2 + 2 * n, 0u));
  history::add_scripts(in, n, seed);
  return in;
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  history::judge(c, out, verdict, history::Order::FirstInFirstOut);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, history::visible, history::hidden, judge, 0});
}
