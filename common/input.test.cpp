// SPDX-License-Identifier: MIT
// The arrays that are added up: the same on every machine, and as the verification needs them.
#include "common/input.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "common/parallel.hpp"
#include "support/catch.hpp"

using course::exact_floats;
using course::random_bits;
using course::random_floats;
using course::random_ints;

TEST_CASE("the same seed gives the same numbers, another seed others") {
  CHECK(random_floats(1000, 7) == random_floats(1000, 7));
  CHECK(random_ints(1000, 7) == random_ints(1000, 7));
  CHECK(exact_floats(1000, 7) == exact_floats(1000, 7));
  CHECK(random_floats(1000, 7) != random_floats(1000, 8));
  CHECK(random_ints(1000, 7) != random_ints(1000, 8));
  CHECK(exact_floats(1000, 7) != exact_floats(1000, 8));
}

TEST_CASE("the first values never change: results of two years are about the same array") {
  CHECK(random_bits(1, 0) == 0xf4a90164c4749e1aull);
  CHECK(random_bits(1, 1) == 0x61ae7fc1035d593dull);
  CHECK(random_bits(0, 0) == 0xad53d5472392edecull);
  CHECK(random_ints(3, 1) == std::vector<int>{-998990310, 56449341, -398844238});
  CHECK(random_floats(3, 1) == std::vector<float>{0x1.d2a404p-1f, -0x1.e5181p-3f, -0x1.128ecp-2f});
  CHECK(exact_floats(8, 1) == std::vector<float>{-1, 2, -1, -1, 2, -2, 2, 2});
}

TEST_CASE("a shorter array is the beginning of a longer one, also across the cores' pieces") {
  const auto all = random_floats(course::kPiece + 3, 2);
  const auto some = random_floats(1000, 2);
  CHECK(std::equal(some.begin(), some.end(), all.begin()));
  const auto bits = random_bits(2, course::kPiece + 1);
  CHECK(all[course::kPiece + 1] == (static_cast<double>(bits >> 40) - 0x1p23) * 0x1p-23);
}

TEST_CASE("n elements are n elements, none included") {
  CHECK(random_floats(0, 1).empty());
  CHECK(random_ints(0, 1).empty());
  CHECK(exact_floats(0, 1).empty());
  CHECK(random_floats(5, 1).size() == 5);
}

TEST_CASE("random floats lie in [-1, 1) and use all 24 bits") {
  const auto x = random_floats(1 << 16, 3);
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  CHECK(*least >= -1);
  CHECK(*least < -0.99f);
  CHECK(*most < 1);
  CHECK(*most > 0.99f);
  CHECK(std::any_of(x.begin(), x.end(), [](float v) { return std::fmod(v, 0x1p-22f) != 0; }));
  CHECK(std::set<float>(x.begin(), x.end()).size() > 65000);
}

TEST_CASE("random integers use the whole range") {
  const auto x = random_ints(1 << 16, 3);
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  CHECK(*least < -2147000000);
  CHECK(*most > 2147000000);
}

TEST_CASE("whole floats are -2, -1, 1 or 2, never 0, and all four occur") {
  const auto x = exact_floats(1 << 16, 3);
  CHECK(std::set<float>(x.begin(), x.end()) == std::set<float>{-2, -1, 1, 2});
}

TEST_CASE("every partial sum of 2^22 whole floats is exact in float, in order and by stride") {
  constexpr std::size_t kN = std::size_t{1} << 22;
  for (const std::uint64_t seed : {1, 2, 12345}) {
    const auto x = exact_floats(kN, seed);
    for (const std::size_t stride : {1, 2, 32, 256, 270336}) {
      double sum = 0, most = 0;
      for (std::size_t first = 0; first < stride; ++first) {
        for (std::size_t i = first; i < kN; i += stride) {
          sum += x[i];
          most = std::max(most, std::abs(sum));
        }
      }
      CHECK(most < 0x1p24);
    }
  }
}

TEST_CASE("elements of one sign do not pile up: the sum of whole floats stays near sqrt(n)") {
  double sum = 0;
  for (const float v : exact_floats(1 << 20, 9)) sum += v;
  CHECK(std::abs(sum) < 10 * std::sqrt(2.5 * (1 << 20)));
}
