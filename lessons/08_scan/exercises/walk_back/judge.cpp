// SPDX-License-Identifier: MIT
// Exercise walk_back: words with sums and prefixes in any mixture; some come late.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

// Of about every eighth tile the prefix is told, of the others the sum; about a third come late.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::vector<int> sums = random.ints(n, 1, 1000), draws = random.ints(n, 0, 23);
  std::vector<int> value(n), late(n);
  std::vector<unsigned> meaning(n);
  int prefix = 0;
  for (std::size_t i = 0; i < n; ++i) {
    prefix += sums[i];
    meaning[i] = draws[i] % 8 == 0 ? 2 : 1;
    value[i] = meaning[i] == 2 ? prefix : sums[i];
    late[i] = draws[i] % 3 == 0 ? 1 : 0;
  }
  Arrays in;
  in.set("sums", sums);
  in.set("value", value);
  in.set("meaning", meaning);
  in.set("late", late);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 9, 64, 100, 200}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 40, 256);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> sums = c.in.get<int>("sums");
  std::vector<int> right(sums.size());
  for (std::size_t i = 1; i < sums.size(); ++i) right[i] = right[i - 1] + sums[i - 1];
  if (verdict.equal<int>(out, "before", right) || !out.has<int>("before")) return;
  const std::vector<int> got = out.get<int>("before");
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == right[i]) continue;
    verdict.because("wrong_value", got[i] > right[i]
                                       ? "tile " + std::to_string(i) + " has added something twice"
                                       : "tile " + std::to_string(i) + " has left something out");
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
