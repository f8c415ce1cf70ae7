// SPDX-License-Identifier: MIT
// Exercise block_max: blocks of many sizes, elements that are all negative, the largest where a
// tree loses it easily.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <climits>

using namespace course::exercise;

namespace {

// The seed chooses the block size too, so that a case is named by n and seed alone.
constexpr unsigned kBlocks[] = {256, 100, 33, 1, 96, 7, 250, 64, 3, 31};

unsigned block_of(std::uint64_t seed) { return kBlocks[(seed - 1) % std::size(kBlocks)]; }

// All negative: 0 is no identity. With a multiple of 3 as seed they are so small that what lies in
// fresh memory is larger. With an even seed they rise: the largest is the last of its block.
Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  const int high = seed % 3 == 0 ? -1000000001 : -1;
  std::vector<int> x = random.ints(n, high - 1000000, high);
  if (seed % 2 == 0) std::sort(x.begin(), x.end());
  in.set("x", x);
  in.set_one("block", block_of(seed));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 255, 256, 300, 1024}) cases.add(n);
  cases.add(500, 2);
  cases.add(320, 3);
  cases.add(40, 4);
  cases.add(77, 6);
  cases.add(64, 8);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 8; ++k) cases.add_random(random, 2, 1500);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> x = c.in.get<int>("x");
  const std::size_t block = c.in.one<unsigned>("block");
  std::vector<int> expected;
  for (std::size_t begin = 0; begin < std::max<std::size_t>(c.n, 1); begin += block) {
    int most = INT_MIN;
    for (std::size_t i = begin; i < std::min(begin + block, c.n); ++i) most = std::max(most, x[i]);
    expected.push_back(most);
  }
  if (verdict.equal<int>(out, "maxima", expected) || !out.has<int>("maxima")) return;
  const std::vector<int> actual = out.get<int>("maxima");
  std::size_t b = 0;
  while (b < expected.size() && actual[b] == expected[b]) ++b;
  if (b == expected.size()) return;
  const std::size_t have = std::min(block, c.n - b * block);
  const std::string sizes =
      "the block has " + std::to_string(block) + " threads and " + count_of(have, "element") + ": ";
  if (actual[b] == 0 && have < block) {
    verdict.because("wrong_value", sizes +
                                       "0 is what a thread without an element brought, and it is "
                                       "larger than every negative number");
  } else if (have > 0 && actual[b] < expected[b] &&
             actual[b] >= *std::min_element(x.begin(), x.end())) {
    const auto at =
        std::find(x.begin() + static_cast<std::ptrdiff_t>(b * block), x.end(), expected[b]);
    verdict.because("wrong_value",
                    sizes + "the largest is that of thread " +
                        std::to_string(static_cast<std::size_t>(at - x.begin()) % block) +
                        ", and it never came to s[0]");
  } else if (have > 0 && actual[b] > expected[b]) {
    verdict.because("wrong_value", sizes +
                                       "no element is that large; does every thread write its "
                                       "place in s before somebody reads it?");
  }
}

}  // namespace

int main(int argc, char** argv) { return judge_main(argc, argv, {input, visible, hidden, judge}); }
