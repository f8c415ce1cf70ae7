// SPDX-License-Identifier: MIT
// Which blocks of a launch are watched, on which multiprocessors they are, and what is written down of them.
#include <array>

#include "support/catch.hpp"
#include "support/level1_machine.hpp"

namespace emu::observe {
namespace {

TEST_CASE("blocks of one multiprocessor share their cache, those of others do not help") {
  Machine together(264), apart(264);
  REQUIRE(together.touch(together.block(0), 0, 8));
  REQUIRE(together.touch(together.block(1), 0, 8));
  CHECK(together.found().hits == 4 * 8);
  REQUIRE(apart.touch(apart.block(0), 0, 8));
  REQUIRE(apart.touch(apart.block(0, 49), 0, 8));
  CHECK(apart.found().hits == 0);
  CHECK_FALSE(apart.touch(apart.block(0, 17), 0, 8));  // nobody watches that one
}

TEST_CASE("when blocks have ended, the next ones do not come to the same multiprocessors in turn") {
  constexpr std::uint64_t kFirst = 8 * 132;
  Machine m(64 * 132);
  BlockOrder order({132, 8}, 64 * 132, 8);
  std::array<bool, 132> at_first{};
  std::uint64_t as_at_first = 0, watched = 0;
  for (std::uint64_t block = 0; block < 64 * 132; ++block) {
    const bool is = m.touch(block, 0, 1);
    watched += is;
    const std::uint64_t place = order.place_of(block % kFirst);
    if (block < kFirst) at_first[place] |= is;
    if (block < kFirst) CHECK(is == at_first[place]);
    as_at_first += block >= kFirst && is && at_first[place];
  }
  CHECK(watched == 16 * 64);  // each of them has as much to do as before
  CHECK(as_at_first < 16 * 56 / 4);
}

TEST_CASE("of a launch that asks for little more multiprocessors are watched than of a long one") {
  Machine little(132), much(132);
  std::uint64_t watched = 0, of_little = 0;
  for (std::uint64_t block = 0; block < 132; ++block) of_little += little.touch(block, 0, 8);
  CHECK(of_little == 16);
  CHECK(little.found().requests == 16 * 8);
  std::uint64_t asked = 0;
  for (std::uint64_t block = 0; block < 132; ++block) {
    const bool is = much.touch(block, 0, 4000);
    watched += is;
    for (const std::uint64_t to_the_end : {16, 49, 82, 115}) {
      if (block != much.block(0, to_the_end)) continue;
      CHECK(is);
      asked += 4000;
    }
  }
  CHECK(watched < 10);  // until it was too much
  CHECK(much.found().requests == asked);
}

TEST_CASE("of a few blocks that ask for little all are watched, of those that ask for much one") {
  Machine little(6), much(6);
  std::uint64_t watched = 0;
  for (std::uint64_t block = 0; block < 6; ++block) CHECK(little.touch(block, 0, 8));
  for (std::uint64_t block = 0; block < 6; ++block) watched += much.touch(block, 0, 5000);
  CHECK(watched == 3);  // two until it was too much, and the one that is watched to the end
  CHECK(much.found().requests == 5000);
}

TEST_CASE("of rows of blocks not those at the same place alone are watched") {
  for (const std::uint32_t blocks : {48, 64, 96}) {
    Machine m(blocks);
    std::array<std::uint64_t, 4> at{};  // in rows of four
    for (std::uint64_t block = 0; block < blocks; ++block) m.touch(block, 0, 5000);
    for (std::uint64_t block = 0; block < blocks; ++block)
      at[block % at.size()] += m.touch(block, 0, 1);
    for (const std::uint64_t watched : at) CHECK(watched <= 1 + blocks / 16 / at.size());
  }
}

TEST_CASE("who comes behind a block that asks for nothing has its place") {
  Machine m(16 * 132);
  for (std::uint64_t number = 0; number < 16; ++number)
    REQUIRE(m.touch(m.block(number), 1000 * number, number < 8 ? 0 : 100));
  CHECK(m.found().requests == 8 * 100);
}

TEST_CASE("a load finds words that a store wrote whole, not those of which it wrote some bytes") {
  const auto hits = [](std::uint64_t first, std::uint64_t bytes, std::uint64_t wanted) {
    Machine m(1);
    exec::Block b;
    b.warps.push_back(nullptr);
    REQUIRE(m.level1.watches(b));
    Sectors sectors;
    sectors.first = 4000;
    sectors.count = 1;
    std::array<std::uint64_t, kWarpLanes> addresses{};
    MemoryAccess access{};
    access.addresses = addresses.data();
    access.bytes_per_lane = 1;
    access.kind = AccessKind::Store;
    for (std::uint64_t lane = 0; lane < bytes; ++lane)
      addresses[lane] = 4000 * kSectorBytes + first + lane;
    access.mask = (1u << bytes) - 1;
    m.level1.add(0, 0, Level1::How::Store, sectors, &access);
    addresses[0] = 4000 * kSectorBytes + wanted;
    access.mask = 1;
    access.kind = AccessKind::Load;
    m.level1.add(0, 1, Level1::How::Load, sectors, &access);
    return m.level1.play(2)[1].hits;
  };
  CHECK(hits(4, 4, 5) == 1);
  CHECK(hits(3, 6, 5) == 1);  // of the words before and behind it writes one byte
  CHECK(hits(3, 6, 3) == 0);
  CHECK(hits(3, 6, 8) == 0);
}

}  // namespace
}  // namespace emu::observe
