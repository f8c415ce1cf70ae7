// SPDX-License-Identifier: MIT
// Exercise uneven_shares: every element once, shares by speed.
#include "common/exercise/judge.hpp"

#include <string>

using namespace course::exercise;

namespace {

// The same for as many elements as no memory holds.
constexpr unsigned long long kScale = 1ull << 44;
using Wide = unsigned __int128;

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::size_t count = random.size(2, 4);
  std::vector<unsigned> speeds(count);
  for (unsigned& s : speeds) s = static_cast<unsigned>(random.between(1, 5000));
  if (seed % 3 == 0) speeds[random.size(1, count - 1)] = 0;
  Arrays in;
  in.set("speeds", speeds);
  in.set_one<unsigned>("n", static_cast<unsigned>(n));
  in.set_one<unsigned long long>("scale", kScale);
  return in;
}

void visible(Cases& cases) {
  cases.add(100, 1);
  cases.add(1, 2);
  cases.add(77, 3);
  cases.add(1000, 4);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 2, 900);
}

// What is wrong with the shares of n elements; empty: nothing.
std::string wrong_with(const std::vector<unsigned long long>& begins, unsigned long long n,
                       const std::vector<unsigned>& speeds) {
  if (begins.front() != 0) return "the first share does not begin at 0";
  if (begins.back() != n)
    return begins.back() < n ? "the last " + std::to_string(n - begins.back()) + " are nobody's"
                             : "the last share ends behind the last element";
  unsigned long long all = 0;
  for (const unsigned s : speeds) all += s;
  for (std::size_t r = 0; r < speeds.size(); ++r) {
    const std::string who = "the share of GPU " + std::to_string(r);
    if (begins[r] > begins[r + 1]) return who + " ends before it begins";
    const unsigned long long share = begins[r + 1] - begins[r];
    const auto ideal = static_cast<unsigned long long>(Wide{n} * speeds[r] / all);
    if (share + 1 < ideal || share > ideal + 2)
      return who + " is " + std::to_string(share) + ", and by its speed it would be " +
             std::to_string(ideal);
    if (speeds[r] == 0 && share > 0) return who + " is not empty, and it cannot work";
  }
  return "";
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto speeds = c.in.get<unsigned>("speeds");
  for (const auto& [name, n] : {std::pair{"begins", static_cast<unsigned long long>(c.n)},
                                std::pair{"large", c.n * kScale}}) {
    if (!out.has<unsigned long long>(name)) return verdict.fail("missing", "there are no shares");
    const std::string why = wrong_with(out.get<unsigned long long>(name), n, speeds);
    if (!why.empty())
      return verdict.fail("wrong_value", "of " + std::to_string(n) + " elements: " + why);
  }
  for (const unsigned owner : out.get<unsigned>("owners"))
    if (owner % 100 != 1) return verdict.fail("wrong_value", "an element has no GPU, or two");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
