// SPDX-License-Identifier: MIT
// Exercise near_count: points on a fine grid, so that distances are exact.
#include "common/exercise/judge.hpp"

#include <algorithm>

using namespace course::exercise;

namespace {

// x, y and z of n points, so that many are near each other.
std::vector<float> coordinates(Random& random, std::size_t n) {
  std::vector<float> xyz(3 * n);
  for (float& v : xyz) v = static_cast<float>(random.between(0, 40)) * 0.125f;
  return xyz;
}
bool near(const std::vector<float>& p, std::size_t i, std::size_t j, float eps) {
  float sum = 0;  // multiples of 1/8: exact
  for (std::size_t d = 0; d < 3; ++d)
    sum += (p[3 * i + d] - p[3 * j + d]) * (p[3 * i + d] - p[3 * j + d]);
  return sum <= eps * eps;
}

// The last digit of the seed: 9 all points in one place.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("xyz", seed % 10 == 9 ? std::vector<float>(3 * n, 1.5f) : coordinates(random, n));
  in.set_one("eps", 0.125f * static_cast<float>(random.between(6, 12)));
  in.set_one("enough", static_cast<unsigned>(seed % 10 == 9 ? 4 : random.between(1, 9)));
  return in;
}
void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 63, 64, 65, 300}) cases.add(n, 1);
  cases.add(300, 2);
  cases.add_as("one_place", 512, 9);
}
void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 3; ++i) cases.add_random(random, 2, 400);
}
void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto xyz = c.in.get<float>("xyz");
  const auto eps = c.in.one<float>("eps");
  const auto enough = c.in.one<unsigned>("enough");
  std::vector<unsigned> counts(xyz.size() / 3);
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::size_t j = 0; j < counts.size(); ++j)
      counts[i] += counts[i] < enough && near(xyz, i, j, eps);
  verdict.equal<unsigned>(out, "counts", counts);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
