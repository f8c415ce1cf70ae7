// SPDX-License-Identifier: MIT
// LZ4 blocks written by hand.
#include "cudart/loading/lz4.hpp"

#include <cstdint>
#include <vector>

#include "support/catch.hpp"

using emu::cudart::lz4_decode;

namespace {

std::optional<std::string> decode(const std::vector<int>& bytes, std::size_t limit = 1 << 20) {
  std::vector<std::byte> block;
  for (int b : bytes) block.push_back(static_cast<std::byte>(b));
  return lz4_decode(block, limit);
}

}  // namespace

TEST_CASE("lz4: literals alone come out as they are") {
  REQUIRE(decode({0x30, 'a', 'b', 'c'}) == "abc");
  REQUIRE(decode({0x00}) == "");
}

TEST_CASE("lz4: a match copies from behind, and may overlap what it writes") {
  // "ab", then 6 bytes from distance 2, then "!"
  REQUIRE(decode({0x22, 'a', 'b', 2, 0, 0x10, '!'}) == "abababab!");
  // "x", then 4 from distance 1
  REQUIRE(decode({0x10, 'x', 1, 0, 0x00}) == "xxxxx");
}

TEST_CASE("lz4: lengths of 15 and more go on in further bytes") {
  // 15 + 5 literals
  std::vector<int> block{0xf0, 5};
  for (int i = 0; i < 20; ++i) block.push_back('a' + i);
  REQUIRE(decode(block) == "abcdefghijklmnopqrst");
  // match of 4 + 15 + 255 + 1
  const auto text = decode({0x1f, 'z', 1, 0, 255, 1, 0x00});
  REQUIRE(text);
  REQUIRE(*text == std::string(1 + 275, 'z'));
}

TEST_CASE("lz4: damaged blocks are refused") {
  REQUIRE_FALSE(decode({}));
  REQUIRE_FALSE(decode({0x30, 'a', 'b'}));                  // literals cut off
  REQUIRE_FALSE(decode({0xf0}));                            // length cut off
  REQUIRE_FALSE(decode({0x10, 'a', 1}));                    // distance cut off
  REQUIRE_FALSE(decode({0x10, 'a', 0, 0, 0x00}));           // distance 0
  REQUIRE_FALSE(decode({0x10, 'a', 2, 0, 0x00}));           // distance before the beginning
  REQUIRE_FALSE(decode({0x10, 'a', 1, 0}));                 // ends with a match
  REQUIRE_FALSE(decode({0x1f, 'a', 1, 0, 255, 255, 255}));  // match length cut off
}

TEST_CASE("lz4: nothing grows past the limit") {
  REQUIRE_FALSE(decode({0x30, 'a', 'b', 'c'}, 2));
  REQUIRE_FALSE(decode({0x1f, 'z', 1, 0, 255, 255, 255, 255, 0, 0x00}, 100));
  REQUIRE(decode({0x30, 'a', 'b', 'c'}, 3) == "abc");
}
