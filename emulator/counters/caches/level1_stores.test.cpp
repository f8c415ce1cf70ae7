// SPDX-License-Identifier: MIT
// What stores find in the first-level cache.
#include <cstdint>
#include <vector>

#include "counters/caches/level1.hpp"
#include "counters/caches/level1_set.hpp"
#include "support/catch.hpp"
#include "support/level1_machine.hpp"

namespace emu::observe {
namespace {

TEST_CASE("stores on end that are for many lines are not all found, although the lines are there") {
  // Eight fields of structures that take so many lines, read and stored by a warp.
  const auto found = [](std::uint32_t lines, std::uint32_t apart, std::uint32_t blocks = 8 * 132) {
    Machine m(blocks, 0, 256);  // eight of a multiprocessor are 64 warps
    exec::Block b;
    b.linear = m.block(0);
    b.warps.push_back(nullptr);
    REQUIRE(m.level1.watches(b));
    for (std::uint32_t round = 0; round < 100; ++round)
      for (std::uint32_t k = 0; k < 16; ++k) {
        Sectors sectors;
        sectors.first = (1000 + round * lines) * kLineSectors;
        sectors.count = lines * kLineSectors;
        m.level1.add(0, k < 8 ? k : k * apart, k < 8 ? Level1::How::Load : Level1::How::Store,
                     sectors);
      }
    const auto all = m.level1.play(16 * apart);
    std::uint64_t hits = 0, stored = 0;
    for (std::uint32_t k = 9; k < 16; ++k) {
      hits += all[k * apart].hits;
      stored += all[k * apart].sectors;
    }
    return static_cast<double>(hits) / static_cast<double>(stored);
  };
  CHECK(found(6, 1) == 1);
  CHECK(found(8, 1) > 0.77);
  CHECK(found(8, 1) < 0.87);
  CHECK(found(6, 10) == 1);  // not on end
  CHECK(found(8, 10) > 0.85);
  CHECK(found(8, 10) < 0.9);
  CHECK(found(8, 1, 4 * 132) == 1);  // few warps: they do not get in each other's way
  CHECK(found(8, 10, 4 * 132) == 1);
}

TEST_CASE("stores right behind each other for a line a lane are found where many warps run") {
  // A warp stores eight times to the same lines, on a multiprocessor that holds so many warps.
  const auto found = [](std::uint32_t lines, std::uint32_t apart, std::uint32_t warps) {
    Machine m(8 * 132, 0, 32 * warps / 8);
    exec::Block b;
    b.linear = m.block(0);
    b.warps.push_back(nullptr);
    REQUIRE(m.level1.watches(b));
    for (std::uint32_t k = 0; k < 8; ++k) {
      Sectors sectors;
      sectors.first = 4000;
      sectors.count = lines * kLineSectors;
      m.level1.add(0, k * apart, Level1::How::Store, sectors);
    }
    std::uint64_t hits = 0;
    for (const Level1::Found& f : m.level1.play(8 * apart)) hits += f.hits;
    return static_cast<double>(hits) / (lines * kLineSectors);
  };
  CHECK(found(32, 1, 64) == 7);  // all but the first
  CHECK(found(32, 1, 8) == Approx(0.5 * 7).margin(1));
  CHECK(found(32, 16, 8) == 7);  // there is time
  CHECK(found(24, 1, 8) == 7);
  CHECK(found(3, 1, 8) == 7);
  Machine alone(1);  // one warp and no other
  for (int k = 0; k < 2; ++k) {
    exec::Block b;
    b.warps.push_back(nullptr);
    REQUIRE(alone.level1.watches(b));
    Sectors sectors;
    sectors.first = 4000;
    sectors.count = 32 * kLineSectors;
    alone.level1.add(0, 0, Level1::How::Store, sectors);
  }
  CHECK(alone.found().hits == 0);
}

TEST_CASE(
    "of a warp's own stores for one, four and eight lines some come before the line is known") {
  // A warp of each block reads something, then stores twice to its own lines.
  const auto found = [](std::uint32_t blocks, std::uint32_t lines, bool reads_first = true,
                        std::uint32_t threads = 32) {
    Machine m(blocks, 0, threads);
    for (std::uint32_t block = 0; block < blocks; ++block) {
      exec::Block b;
      b.linear = block;
      b.warps.push_back(nullptr);
      if (!m.level1.watches(b)) continue;
      for (std::uint32_t k = reads_first ? 0 : 1; k < 3; ++k) {
        Sectors sectors;
        sectors.first = (k == 0 ? 1 << 24 : block * lines) * kLineSectors;
        sectors.count = lines * kLineSectors;
        m.level1.add(0, k, k == 0 ? Level1::How::Load : Level1::How::Store, sectors);
      }
    }
    const Level1::Found second = m.level1.play(3)[2];
    return static_cast<double>(second.hits) / static_cast<double>(second.sectors);
  };
  constexpr std::uint32_t kOneWave = 8 * 132, kMany = 80 * 132;
  CHECK(found(kMany, 1) == Approx(0.875).margin(0.07));
  CHECK(found(kMany, 4) == Approx(0.875).margin(0.05));
  CHECK(found(kMany, 8) == Approx(0.86).margin(0.05));
  CHECK(found(kOneWave, 8) == 1);  // only where many warps do so at once
  CHECK(found(kOneWave, 8, true, 128) == Approx(0.9).margin(0.04));
  CHECK(found(kOneWave, 8, false) == Approx(0.75).margin(0.1));
  CHECK(found(kMany, 3) == 1);
  CHECK(found(kMany, 6) == 1);
}

// Of eight warps that store a sector each, next to each other: how many find the line known.
std::uint64_t neighbours(Level1::How how) {
  Machine m(1);
  exec::Block b;
  for (int warp = 0; warp < 8; ++warp) b.warps.push_back(nullptr);
  REQUIRE(m.level1.watches(b));
  for (std::uint32_t round = 0; round < 64; ++round)
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      Sectors sectors;
      sectors.first = 8 * round + warp;
      sectors.count = 1;
      m.level1.add(warp, 0, how, sectors);
    }
  return m.found().hits;
}

TEST_CASE("a store finds a line of which another sector was stored, nearly always") {
  Machine m(1);
  REQUIRE(m.touch(0, 0, 0));
  for (std::uint32_t sector = 0; sector < 4; ++sector) {
    Sectors sectors;
    sectors.first = sector;
    sectors.count = 1;
    m.level1.add(0, 0, Level1::How::Store, sectors);
  }
  CHECK(m.found().hits == 3);
  CHECK(neighbours(Level1::How::Store) > 384 * 3 / 4);  // of three in four
  CHECK(neighbours(Level1::How::Store) < 384);
}

TEST_CASE("where atomics say the place, other warps store beside it elsewhere") {
  CHECK(neighbours(Level1::How::Placed) == 0);
  Machine same(1);  // the warp itself finds what it stored behind the same atomic ...
  REQUIRE(same.touch(0, 0, 1, Level1::How::Placed));
  REQUIRE(same.touch(0, 0, 1, Level1::How::Placed));
  CHECK(same.found().hits == kLineSectors);
  Machine next(1);  // ... not what it stored behind the one before: others have asked in between
  REQUIRE(next.touch(0, 0, 1, Level1::How::Placed));
  REQUIRE(next.touch(0, 1000, 1, Level1::How::Atomic));
  REQUIRE(next.touch(0, 0, 1, Level1::How::Placed));
  CHECK(next.found().hits == 0);
}

TEST_CASE("what was read stays longer if it is stored to, what was only stored does not") {
  // Two lines of a set that holds four are used, then stored to; then four others are stored to. A store to the first tells
  // whether it is still there.
  std::vector<std::uint64_t> lines;  // of one set
  for (std::uint64_t line = 1 << 20; lines.size() < 6; ++line)
    if (level1_set(line) == 7) lines.push_back(line);
  const auto found = [&](Level1::How first) {
    Machine m(1);
    const std::vector<int> order = {0, 1, 0, 1, 2, 3, 4, 5, 0};
    for (std::size_t i = 0; i < order.size(); ++i)
      REQUIRE(m.touch(0, lines[static_cast<std::size_t>(order[i])], 1,
                      i < 2 ? first : Level1::How::Store));
    return m.found().hits / kLineSectors;
  };
  CHECK(found(Level1::How::Load) == 3);   // twice, and in the end
  CHECK(found(Level1::How::Store) == 2);  // twice
}

}  // namespace
}  // namespace emu::observe
