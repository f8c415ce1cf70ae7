// SPDX-License-Identifier: MIT
// Every rung at the sizes where sums go wrong, with every block size, in both types.
#include <algorithm>
#include <cmath>

#include "lessons/rung_checks.hpp"

using namespace rung_checks;

namespace {

// Around a warp, around blocks, around two passes, and nothing at all.
constexpr std::size_t kSmall[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025};
constexpr std::size_t kLarge[] = {(1 << 20) - 1, (1 << 20) + 7};

}  // namespace

TEST_CASE("the lesson has rungs with ids, ideas and integer sums") {
  REQUIRE_FALSE(lesson().rungs.empty());
  for (const course::Rung& rung : lesson().rungs) {
    INFO(rung.id);
    CHECK(std::count_if(lesson().rungs.begin(), lesson().rungs.end(),
                        [&](const auto& other) { return std::string(other.id) == rung.id; }) == 1);
    CHECK(std::string(rung.id).find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") ==
          std::string::npos);
    CHECK_FALSE(std::string(rung.idea).empty());
    CHECK(rung.i32 != nullptr);
    CHECK(rung.depth != nullptr);
    if (device().sm < rung.least_sm)
      WARN(rung.id << " is not tested: it needs compute capability " << rung.least_sm / 10.0);
  }
}

TEST_CASE("the depth that the error bound is derived from is plausible") {
  for (const course::Rung& rung : lesson().rungs) {
    for (const std::size_t n : {1, 33, 1025, 1 << 20, 1 << 28}) {
      for (const int block : kBlocks) {
        INFO(named(rung, n, block));
        const double depth = rung.depth(n, block, device());
        CHECK(depth >= std::log2(static_cast<double>(n)));  // no tree is flatter
        CHECK(depth <= static_cast<double>(n) + 2048);      // no chain is longer
      }
    }
  }
}

TEST_CASE("small sizes, every block size: integers exactly") {
  for (const std::size_t n : kSmall) {
    const auto x = course::random_ints(n, 11);
    for (const int block : kBlocks) check_ints(x, block);
  }
}

TEST_CASE("small sizes, every block size: whole floats exactly") {
  for (const std::size_t n : kSmall) {
    const auto x = course::exact_floats(n, 12);
    for (const int block : kBlocks) check_floats(x, block, true);
  }
}

TEST_CASE("small sizes, every block size: random floats within the bound") {
  for (const std::size_t n : kSmall) {
    const auto x = course::random_floats(n, 13);
    for (const int block : kBlocks) check_floats(x, block, false);
  }
}

// A rung is one template for both types: what goes wrong with n and the block is seen with integers already.
TEST_CASE("around 2^20, every block size: integers exactly") {
  for (const std::size_t n : kLarge) {
    const auto x = course::random_ints(n, 14);
    for (const int block : kBlocks) check_ints(x, block);
  }
}

TEST_CASE("below 2^20, every block size: whole floats exactly") {
  const auto x = course::exact_floats(kLarge[0], 15);
  for (const int block : kBlocks) check_floats(x, block, true);
}

TEST_CASE("above 2^20, every block size: random floats within the bound") {
  const auto x = course::random_floats(kLarge[1], 16);
  for (const int block : kBlocks) check_floats(x, block, false);
}

TEST_CASE("input that begins at any multiple of 4 bytes") {
  for (const std::size_t n : {1, 2, 3, 4, 5, 7, 31, 33, 127, 1025, 4099}) {
    const auto ints = course::random_ints(n, 17);
    const auto floats = course::exact_floats(n, 17);
    for (const std::size_t shift : {0, 1, 2, 3}) {
      for (const int block : kBlocks) {
        check_ints(ints, block, shift);
        check_floats(floats, block, true, shift);
      }
    }
  }
}
