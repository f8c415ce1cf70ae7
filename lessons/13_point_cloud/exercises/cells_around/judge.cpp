// SPDX-License-Identifier: MIT
// Exercise cells_around: points in a square of cells, sorted by cell.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

constexpr float kEps = 0.5f;

// About three points to a cell, on multiples of 1/16.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  int across = 1;
  while (static_cast<std::size_t>(3 * across * across) < n) ++across;
  std::vector<std::pair<int, std::pair<float, float>>> points;
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = static_cast<int>(random.between(0, 8 * across - 1));
    const auto y = static_cast<int>(random.between(0, 8 * across - 1));
    points.push_back(
        {y / 8 * across + x / 8, {static_cast<float>(x) / 16, static_cast<float>(y) / 16}});
  }
  std::sort(points.begin(), points.end());
  std::vector<float> xy;
  std::vector<unsigned> starts(static_cast<std::size_t>(across * across) + 1);
  for (const auto& [cell, p] : points) {
    xy.push_back(p.first), xy.push_back(p.second);
    ++starts[static_cast<std::size_t>(cell) + 1];
  }
  for (std::size_t c = 1; c < starts.size(); ++c) starts[c] += starts[c - 1];
  Arrays in;
  in.set("points", xy);
  in.set("starts", starts);
  in.set_one("across", across);
  in.set_one("eps", kEps);
  return in;
}
void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 3, 12, 64, 65, 200, 600}) cases.add(n, 1);
}
void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 3; ++i) cases.add_random(random, 2, 500);
}
void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto p = c.in.get<float>("points");
  std::vector<unsigned> counts(p.size() / 2);
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::size_t j = 0; j < counts.size(); ++j) {
      const float x = p[2 * i] - p[2 * j], y = p[2 * i + 1] - p[2 * j + 1];
      counts[i] += x * x + y * y <= kEps * kEps;
    }
  verdict.equal<unsigned>(out, "counts", counts);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
