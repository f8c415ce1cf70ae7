// SPDX-License-Identifier: MIT
// Exercise match_mask: counts of keys, some of which are none.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

// Seeds that end in 2: two keys. 3: all the same key. 5: no key at all. Others: some keys, some strays.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t what = seed % 10;
  const unsigned bins = 13;
  std::vector<unsigned> keys(n);
  for (unsigned& key : keys) {
    key = static_cast<unsigned>(random.between(0, 16));
    if (what == 2) key = key % 2 * 5;
    if (what == 3) key = 7;
    if (what == 5) key += bins;
    if (key >= bins) key += 1000000;  // far behind the table of the block
  }
  Arrays in;
  in.set("keys", keys);
  in.set("bins", std::vector<unsigned>{bins});
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 128, 200, 1024}) cases.add(n, 1);
  cases.add(1024, 2);
  cases.add(100, 3);
  cases.add(100, 5);
}

void hidden(Cases& cases, Random& random) {
  for (std::uint64_t what = 1; what < 6; ++what) {
    const std::size_t n = random.size(2, 1500);
    cases.add(n, random.seed() * 10 + what);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::vector<unsigned> expected(c.in.one<unsigned>("bins"));
  for (const unsigned key : c.in.get<unsigned>("keys"))
    if (key < expected.size()) ++expected[key];
  if (verdict.equal<unsigned>(out, "counts", expected) || !out.has<unsigned>("counts")) return;
  std::uint64_t all = 0, right = 0;
  for (const unsigned count : out.get<unsigned>("counts")) all += count;
  for (const unsigned count : expected) right += count;
  if (all > right)
    verdict.because("wrong_value",
                    "more were counted than there are: lanes that are elsewhere, or have "
                    "another key, were counted too");
  else if (all < right)
    verdict.because("wrong_value",
                    "some were not counted: a group had no leader, or not all of it");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
