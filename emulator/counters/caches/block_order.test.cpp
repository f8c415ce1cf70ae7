// SPDX-License-Identifier: MIT
#include "counters/caches/block_order.hpp"

#include <map>
#include <vector>

#include "support/catch.hpp"

namespace emu::observe {
namespace {

constexpr BlockOrder::Gpu kH200{132, 8};

// Of each multiprocessor, its blocks.
std::map<std::uint64_t, std::vector<std::uint64_t>> given(BlockOrder::Gpu gpu, std::uint64_t blocks,
                                                          std::uint64_t fit) {
  BlockOrder order(gpu, blocks, fit);
  std::map<std::uint64_t, std::vector<std::uint64_t>> all;
  for (std::uint64_t b = 0; b < blocks; ++b) all[order.place_of(b)].push_back(b);
  return all;
}

TEST_CASE("as many blocks as multiprocessors, or fewer, are on one each") {
  for (const std::uint64_t blocks : {1, 20, 131, 132})
    CHECK(given(kH200, blocks, 8).size() == blocks);
}

TEST_CASE("all multiprocessors get as many blocks as they have room for") {
  for (const BlockOrder::Gpu gpu : {kH200, BlockOrder::Gpu{40, 0}}) {
    const auto all = given(gpu, 16 * gpu.multiprocessors, 16);
    REQUIRE(all.size() == gpu.multiprocessors);
    CHECK(all.rbegin()->first == gpu.multiprocessors - 1);
    for (const auto& [place, blocks] : all) CHECK(blocks.size() == 16);
  }
}

// An H200 with 8 blocks on each: 440 to 458 pairs are 132 apart, 230 to 240 are 124, 180 to 192 are 140, and the 56 of those that
// have a turn of their own 80 to 108 (tests/model/places.cu).
TEST_CASE("blocks that share a multiprocessor are as far apart as on an H200") {
  std::map<std::uint64_t, int> apart;
  for (const auto& [place, blocks] : given(kH200, 8 * 132, 8))
    for (std::size_t i = 1; i < blocks.size(); ++i) ++apart[blocks[i] - blocks[i - 1]];
  CHECK(apart[132] >= 400);
  CHECK(apart[132] <= 500);
  CHECK(apart[124] >= 190);
  CHECK(apart[140] >= 150);
  CHECK(apart[124] + apart[132] + apart[140] == 7 * 124);
  CHECK(apart[86] + apart[100] == 7 * 8);
}

// With 12 times as many blocks as find room, an H200 has blocks less than 64 apart on one multiprocessor from a tenth as often as
// chance would have it, where all are short, to as often, where they are long.
TEST_CASE("when no more find room, all get as many, blocks near each other as chance has it") {
  const auto all = given(kH200, 80 * 132, 8);
  std::uint64_t near = 0;
  for (const auto& [place, blocks] : all) {
    REQUIRE(blocks.size() == 80);
    for (std::size_t i = 9; i < blocks.size(); ++i) near += blocks[i] - blocks[i - 1] < 64;
  }
  const double by_chance = 71.0 * 132 * 63 / 132;
  CHECK(static_cast<double>(near) > 0.5 * by_chance);
  CHECK(static_cast<double>(near) < 1.1 * by_chance);
}

TEST_CASE("what is left goes to one multiprocessor of each pair first") {
  const auto all = given(kH200, 132 + 8 + 62, 8);
  for (const auto& [place, blocks] : all)
    CHECK(blocks.size() == (place >= 124 || place % 2 == 0 ? 2 : 1));
  const BlockOrder order(kH200, 132 + 8 + 62, 8);
  for (std::uint64_t i = 0; i < 132; ++i)
    CHECK(all.at(order.by_load(i)).size() == (i < 70 ? 2 : 1));
}

}  // namespace
}  // namespace emu::observe
