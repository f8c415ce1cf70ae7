// SPDX-License-Identifier: MIT
// Exercise tile_transpose: matrices of one element up to a few tiles, with and without a rest at
// the edges.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

constexpr std::size_t kTile = 32;

// n is the number of rows and of columns.
Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("in", Random(seed).ints(n * n, 1, 1000000));
  in.set_one("n", static_cast<unsigned>(n));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 3, 31, 32, 33, 64, 96}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  cases.add_random(random, 2, 3, kTile);
  for (int k = 0; k < 3; ++k) cases.add_random(random, 34, 100);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> in = c.in.get<int>("in");
  std::vector<int> expected(in.size());
  for (std::size_t row = 0; row < c.n; ++row)
    for (std::size_t column = 0; column < c.n; ++column)
      expected[column * c.n + row] = in[row * c.n + column];
  if (verdict.equal<int>(out, "out", expected) || !out.has<int>("out")) return;
  const std::vector<int> actual = out.get<int>("out");
  std::size_t at = in.size();  // the first element that is wrong
  bool inside = false;         // one is wrong that is in a whole tile
  for (std::size_t i = in.size(); i-- > 0;) {
    if (actual[i] == expected[i]) continue;
    at = i;
    inside |= std::max(i / c.n, i % c.n) < c.n / kTile * kTile;
  }
  if (at == in.size()) return;
  const bool moved = std::find(in.begin(), in.end(), actual[at]) != in.end();
  const std::string place =
      "row " + std::to_string(at / c.n) + ", column " + std::to_string(at % c.n) + " of out: ";
  if (actual == in)
    verdict.because("wrong_value", "out is the same as in: nothing was transposed");
  else if (moved)
    verdict.because("wrong_value", place + "here is an element of in that belongs elsewhere");
  else if (!inside)
    verdict.because("lost_tail", "the whole tiles are right; those that stick out are not");
  else
    verdict.because("wrong_value", place +
                                       "no element of in has this value; was it in the tile "
                                       "already when it was read?");
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
