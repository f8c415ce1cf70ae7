// SPDX-License-Identifier: MIT
// Exercise sort_cells: cells of all sizes, some of them empty.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

// The last digit of the seed: 2 few cells, 3 one cell; else all of them.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> cells(n);
  for (unsigned& c : cells)
    c = static_cast<unsigned>(seed % 10 == 3   ? 200
                              : seed % 10 == 2 ? 50 * random.between(0, 5)
                                               : random.between(0, 255));
  Arrays in;
  in.set("cells", cells);
  return in;
}
void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 255, 256, 257, 1000}) cases.add(n, 1);
  cases.add_as("few_cells", 1000, 2);
  cases.add_as("one_cell", 500, 3);
}
void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 3; ++i) cases.add_random(random, 2, 1500);
}
void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto cells = c.in.get<unsigned>("cells");
  std::vector<unsigned> starts(257), sorted(cells.size());
  for (const unsigned cell : cells) ++starts[cell + 1];
  for (std::size_t k = 1; k < starts.size(); ++k) starts[k] += starts[k - 1];
  if (!verdict.equal<unsigned>(out, "starts", starts)) return;
  std::vector<unsigned> next(starts.begin(), starts.end() - 1);
  for (std::size_t i = 0; i < cells.size(); ++i)
    sorted[next[cells[i]]++] = static_cast<unsigned>(i);
  if (!out.has<unsigned>("order")) return verdict.fail("wrong_value", "there is no order");
  auto order = out.get<unsigned>("order");
  for (std::size_t cell = 0; cell < 256 && order.size() == cells.size(); ++cell)
    std::sort(order.begin() + starts[cell], order.begin() + starts[cell + 1]);
  Arrays compared;
  compared.set("order", order);
  if (!verdict.equal<unsigned>(compared, "order", sorted))
    verdict.because("wrong_value", "some cell's part does not hold its points, each once");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
