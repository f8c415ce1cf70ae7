// SPDX-License-Identifier: MIT
// Exercise simple_stack: scripts of pushes and pops on a stack; n is its capacity.
#include "common/exercise/history.hpp"

using namespace course::exercise;

namespace {

constexpr unsigned kNone = 0xffffffffu;

Arrays input(std::size_t n, std::uint64_t seed) {
  std::vector<unsigned> nodes;  // next and value of each
  for (std::size_t i = 0; i < n; ++i) {
    nodes.push_back(i + 1 < n ? static_cast<unsigned>(i + 1) : kNone);
    nodes.push_back(0);
  }
  Arrays in;
  in.set("lists", std::vector<unsigned long long>{kNone, 0});
  in.set("nodes", nodes);
  in.set("spare", std::vector<unsigned>{0, 0});
  history::add_scripts(in, n, seed);
  return in;
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  history::judge(c, out, verdict, history::Order::LastInFirstOut);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, history::visible, history::hidden, judge, 0});
}
