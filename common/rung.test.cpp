// SPDX-License-Identifier: MIT
// What every rung may count on: the room for its partial sums.
#include "common/rung.cuh"

#include <type_traits>

#include "support/catch.hpp"

using course::scratch_elements;

TEST_CASE("there is room for one partial sum per 32 elements, twice") {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1000, 1 << 20, (1 << 20) + 7}) {
    INFO(n);
    CHECK(scratch_elements(n) >= 2 * ((n + 31) / 32));
  }
}

TEST_CASE("there is room for all the passes of a tree with the smallest block") {
  for (const std::size_t n : {33, 1025, 1 << 20, 1 << 26}) {
    std::size_t used = 0;
    for (std::size_t left = (n + 31) / 32; left > 1; left = (left + 31) / 32) used += left;
    INFO(n);
    CHECK(used <= scratch_elements(n));
  }
}

TEST_CASE("a rung that says nothing else runs from Turing on") {
  const course::Rung rung{"id", "idea", nullptr, nullptr, nullptr};
  CHECK(rung.least_sm == 75);
}
