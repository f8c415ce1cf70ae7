// SPDX-License-Identifier: MIT
// Exercise slow_line: n squares.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr std::size_t kSide = 32;

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("in", Random(seed).ints(n * kSide * kSide, -1000, 1000));
  in.set_one("squares", static_cast<unsigned>(n));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 8}) cases.add(n);
}

void hidden(Cases& cases, Random& random) { cases.add_random(random, 3, 7); }

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> in = c.in.get<int>("in");
  std::vector<int> rows(c.n * kSide), columns(c.n * kSide);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t square = i / (kSide * kSide), row = i / kSide % kSide, column = i % kSide;
    rows[square * kSide + row] += in[i];
    columns[square * kSide + column] += in[i];
  }
  if (!verdict.equal<int>(out, "rows", rows) || !verdict.equal<int>(out, "columns", columns))
    verdict.because("wrong_value",
                    "a sum holds words that are not of its row or column, or were "
                    "not in shared memory yet when they were read");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
