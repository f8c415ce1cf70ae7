// SPDX-License-Identifier: MIT
// Exercise head_and_tail: arrays that begin 0, 4, 8 and 12 bytes behind a multiple of 16, from
// nothing to a few rounds of the grid.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

// Memory begins at a multiple of 16 bytes, and x some elements behind: seed 1 none, 2 one, ...
std::size_t before_of(std::uint64_t seed) { return (seed - 1) % 4; }

// Whole numbers from 1 on: multiplied by 3 they are exact, and different.
Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  std::vector<float> memory(before_of(seed) + n);
  for (float& v : memory) v = static_cast<float>(random.between(1, 1000));
  in.set("memory", memory);
  in.set_one("before", static_cast<unsigned>(before_of(seed)));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 4, 1030}) cases.add(n, 1);
  for (const std::size_t n : {0, 1, 2, 3, 7, 1024, 16389}) cases.add(n, 2);
  for (const std::size_t n : {1, 10, 1025}) cases.add(n, 3);
  for (const std::size_t n : {1, 5, 1027}) cases.add(n, 4);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) {
    cases.add_random(random, 1, 12);
    cases.add_random(random, 500, 4000);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<float> old = c.in.get<float>("memory");
  const std::size_t before = c.in.one<unsigned>("before");
  std::vector<float> expected = old;
  std::for_each(expected.begin() + static_cast<std::ptrdiff_t>(before), expected.end(),
                [](float& v) { v *= 3; });
  if (verdict.equal<float>(out, "memory", expected) || !out.has<float>("memory")) return;
  const std::vector<float> actual = out.get<float>("memory");
  std::size_t i = 0;
  while (i < expected.size() && actual[i] == expected[i]) ++i;
  if (i == expected.size()) return;
  const std::string where = "x is memory + " + std::to_string(before) + ": ";
  const std::string name = "x[" + std::to_string(i - before) + "]";
  if (i < before)
    verdict.because("wrong_value",
                    where + "this element is before x[0] and must stay " + text_of(old[i]));
  else if (actual[i] == old[i] && expected.size() - i < 4)
    verdict.because("lost_tail",
                    where + "the last elements, from " + name + " on, were not multiplied");
  else if (actual[i] == old[i])
    verdict.because("wrong_value", where + name + " was not multiplied");
  else if (actual[i] > expected[i])
    verdict.because("wrong_value", where + name + " was multiplied more than once");
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
