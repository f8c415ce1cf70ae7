// SPDX-License-Identifier: MIT
// Exercise float_boxes: values of both signs in up to 16 clusters, some of them empty.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <climits>

using namespace course::exercise;

namespace {

constexpr std::size_t kClusters = 16;
constexpr unsigned kNoise = 0xffffffff;

// The last digit of the seed: 2 negative values only.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x = random.floats(n);
  std::vector<unsigned> labels(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] *= 100;
    if (seed % 10 == 2) x[i] = -std::abs(x[i]) - 1;
    const auto label = static_cast<unsigned>(random.between(0, 18));
    labels[i] = label == 3 || label >= kClusters ? kNoise : label;
  }
  Arrays in;
  in.set("x", x);
  in.set("labels", labels);
  in.set("largest", std::vector<int>(kClusters, INT_MAX));
  in.set("smallest", std::vector<int>(kClusters, INT_MIN));
  return in;
}
void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 63, 64, 65, 500}) cases.add(n, 1);
  cases.add_as("negative", 200, 2);
}
void hidden(Cases& cases, Random& random) {
  for (int i = 0; i < 3; ++i) cases.add_random(random, 2, 600);
}
void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto x = c.in.get<float>("x");
  const auto labels = c.in.get<unsigned>("labels");
  std::vector<float> ends(2 * kClusters);
  std::vector<bool> seen(kClusters);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const unsigned k = labels[i];
    if (k == kNoise) continue;
    ends[2 * k] = seen[k] ? std::min(ends[2 * k], x[i]) : x[i];
    ends[2 * k + 1] = seen[k] ? std::max(ends[2 * k + 1], x[i]) : x[i];
    seen[k] = true;
  }
  verdict.equal<float>(out, "ends", ends);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
