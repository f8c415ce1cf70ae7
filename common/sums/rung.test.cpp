// SPDX-License-Identifier: MIT
// What every rung may count on: the room for its partial sums.
#include "common/sums/rung.cuh"

#include <string>

#include "support/catch.hpp"
#include "support/device.hpp"

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

TEST_CASE("an array fits only together with the room for its partial sums") {
  CHECK_NOTHROW(course::check_fits(0, support::device()));
  CHECK_NOTHROW(course::check_fits(1000, support::device()));
  constexpr std::size_t kTooMany = std::size_t{1} << 40;
  std::string alone, together;
  try {
    course::check_bytes_fit(4.0 * kTooMany, kTooMany, support::device());
  } catch (const course::TooLarge& error) {
    alone = error.what();
  }
  try {
    course::check_fits(kTooMany, support::device());
  } catch (const course::TooLarge& error) {
    together = error.what();
  }
  const auto needed = [](const std::string& text) {
    return text.substr(0, text.find(" GB"));  // what is free may change in between
  };
  CHECK(needed(together).starts_with("--n 2^40 needs "));
  CHECK(needed(together) != needed(alone));
}

TEST_CASE("a rung that says nothing else runs from Turing on") {
  const course::Rung rung{"id", "idea", nullptr, nullptr, nullptr};
  CHECK(rung.least_sm == 75);
}
