// SPDX-License-Identifier: MIT
// What stays in L2 and what leaves, as Footprint shows it.
#include <array>

#include "counters/caches/footprint.hpp"
#include "support/catch.hpp"

namespace emu::observe {
namespace {

TEST_CASE("what was touched longest ago leaves a full L2, and is written back if it was written") {
  constexpr std::uint64_t kSectors = 4096;  // 128 KiB
  Footprint footprint;
  footprint.set_capacity(64 * kSectors * kSectorBytes);
  constexpr auto kRead = Footprint::Read | Footprint::AtHome;  // leaves no copies
  footprint.add_range(0, kSectors, Footprint::Write);
  footprint.add_range(kSectors, 47 * kSectors, kRead);
  CHECK(footprint.written_back() == 0);
  CHECK(footprint.in_l2(0));  // and so it is the one touched last
  footprint.add_range(64 * kSectors, 40 * kSectors, kRead);
  CHECK_FALSE(footprint.in_l2(kSectors));
  footprint.add_range(120 * kSectors, 100 * kSectors, kRead);
  CHECK(footprint.written_back() == kSectors);
  // Reading round and round more than fits finds nothing.
  footprint.begin_launch();
  footprint.flush();
  for (int round = 0; round < 2; ++round) footprint.add_range(0, 128 * kSectors, Footprint::Read);
  CHECK(footprint.missed() > 240 * kSectors);
}

TEST_CASE("only a part of L2 waits to be written, and what was written early goes first") {
  constexpr std::uint64_t kSectors = 4096, kFits = 16 * kSectors;
  constexpr auto kWrite = Footprint::Write | Footprint::NoKernel;  // leaves no copies
  Footprint footprint;
  footprint.set_capacity(kFits * kSectorBytes);
  footprint.add_range(0, kFits / 4, kWrite);
  CHECK(footprint.written_back() == 0);
  footprint.add_range(kFits / 4, kFits - kFits / 4, kWrite);
  const std::uint64_t left = kFits - footprint.written_back();
  CHECK(left > kFits * 2 / 5);
  CHECK(left <= kFits / 2);
  std::uint64_t there = 0;  // it is still there, only clean; a set may be full
  for (std::uint64_t sector = 0; sector < kSectors; ++sector) there += footprint.in_l2(sector);
  CHECK(there > kSectors / 2);
  // Who writes all of it again makes it dirty again.
  footprint.add_range(0, kFits, kWrite);
  CHECK(footprint.written_back() > kFits - left);
  CHECK(footprint.written_back() <= 2 * kFits - left);
  footprint.flush();
  footprint.begin_launch();
  footprint.add_range(0, kFits / 4, kWrite);
  CHECK(footprint.written_back() == 0);
}

TEST_CASE("what came long ago leaves before what came late, wherever it lies") {
  constexpr std::uint64_t kWord = 64, kWords = 64;  // sectors of 2 KiB; those of 128 KiB
  Footprint footprint;
  footprint.set_capacity(128 * kWord * kSectorBytes);
  // A column of 2 KiB in 64 pages is written, and the next one: two of each page.
  for (std::uint64_t column = 0; column < 4; ++column)
    for (std::uint64_t row = 0; row < 64; ++row)
      footprint.add_range((row * kWords + column) * kWord, kWord,
                          Footprint::Write | Footprint::NoKernel);
  CHECK(footprint.written_back() > 128 * kWord);  // what left, and a part of what is there
  CHECK(footprint.written_back() < 208 * kWord);
  std::array<std::uint64_t, 4>
      there{};  // of 64; one set may be asked for a little more than another
  for (std::uint64_t row = 0; row < 64; ++row)
    for (std::uint64_t column = 0; column < 4; ++column)
      there[column] += footprint.in_l2((row * kWords + column) * kWord);
  CHECK(there[0] < 4);
  CHECK(there[1] < 16);
  CHECK(there[2] > 48);
  CHECK(there[3] > 60);
}

TEST_CASE("a copy in the other half takes room of its own") {
  constexpr std::uint64_t kSectors = 4096, kFits = 64 * kSectors;
  Footprint one, both;
  for (Footprint* footprint : {&one, &both}) footprint->set_capacity(kFits * kSectorBytes);
  one.add_range(0, kFits * 3 / 4, Footprint::Read | Footprint::AtHome);
  one.add_range(0, kFits * 3 / 4, Footprint::Read | Footprint::AtHome);
  CHECK(one.missed() < kFits * 31 / 40);  // a few sets are full
  for (std::uint32_t round = 0; round < 4; ++round) {
    both.set_near({static_cast<std::uint32_t>(round % 2), 0});
    both.add_range(0, kFits * 3 / 4, Footprint::Read);
  }
  CHECK(both.missed() > kFits * 3 / 2);
}

TEST_CASE("lines leave, not all that lies beside them") {
  constexpr auto kRead = Footprint::Read | Footprint::AtHome;
  Footprint footprint;
  footprint.set_capacity(1 << 20);
  footprint.add_range(0, 64, kRead);
  for (std::uint64_t first = 4096; first < 200'000; first += 256) {
    footprint.add_range(8, 1, kRead);
    footprint.add_range(first, 256, kRead);
  }
  CHECK(footprint.in_l2(9));  // a line that is used again and again
  CHECK_FALSE(footprint.in_l2(7));
  CHECK_FALSE(footprint.in_l2(12));
}

TEST_CASE("what a little too much for L2 finds there depends on how many blocks run side by side") {
  constexpr std::uint64_t kSectors = 4096, kFits = 64 * kSectors, kBlock = 1024;
  std::array<std::uint64_t, 3> missed{};
  for (std::size_t how = 0; how < 3; ++how) {  // at last: all of them at once
    Footprint footprint;
    footprint.set_capacity(kFits * kSectorBytes);
    footprint.begin_launch(how ? 256 : 1, how == 2);
    for (int round = 0; round < 4; ++round) {
      for (std::uint64_t first = 0; first < kFits * 5 / 4; first += kBlock) {
        footprint.set_near({0, 0}, true);
        footprint.add_range(first, kBlock, Footprint::Read | Footprint::AtHome);
      }
    }
    missed[how] = footprint.missed();
  }
  CHECK(missed[0] > 4 * kFits);  // in order: what comes next has just left
  CHECK(missed[1] < missed[0] * 4 / 5);
  CHECK(missed[2] < missed[0] - kFits / 8);
  CHECK(missed[2] > missed[1]);
}

TEST_CASE(
    "of blocks that all run at once the first one has written its word no earlier than the last") {
  constexpr std::uint64_t kSectors = 4096, kFits = 16 * kSectors, kBlocks = 32;
  std::array<std::uint64_t, 2> there{};
  for (const bool at_once : {false, true}) {
    Footprint footprint;
    footprint.set_capacity(kFits * kSectorBytes);
    footprint.begin_launch(kBlocks, at_once);
    for (std::uint64_t block = 0; block < kBlocks; ++block) {
      footprint.set_near({0, 0}, true);
      footprint.add_range((block + 1) * kSectors, kSectors, Footprint::Read | Footprint::AtHome);
      footprint.add_range(block * 4, 1, Footprint::Write);
    }
    for (std::uint64_t block = 0; block < kBlocks; ++block)
      there[at_once] += footprint.in_l2(block * 4);
  }
  CHECK(there[0] < kBlocks);
  CHECK(there[1] == kBlocks);
}

TEST_CASE("what a half stores of the other one's takes room there too, if its sectors are whole") {
  constexpr std::uint64_t kSectors = 64 * 256, kFits = 4 * kSectors;
  for (const bool whole : {true, false}) {
    Footprint footprint;
    footprint.set_capacity(kFits * kSectorBytes);
    const std::uint8_t use = Footprint::Write | (whole ? 0 : Footprint::Part);
    std::array<std::uint64_t, 32> addresses{};
    const MemoryAccess store{AccessKind::Store, MemorySpace::Global, 4, 1, addresses.data()};
    Sectors sectors;
    footprint.part_of(store, global_cost(store, sectors));
    footprint.add_range(0, kSectors, use);
    footprint.begin_launch();
    footprint.add_range(0, kSectors, Footprint::Read);
    CHECK(footprint.asked_again() == (whole ? 0 : kSectors / 2));
  }
}

TEST_CASE("what is to leave first leaves before what was used longest ago") {
  constexpr std::uint64_t kFits = 1 << 16, kFew = kFits / 8;
  constexpr auto kRead = Footprint::Read | Footprint::AtHome;
  Footprint footprint;
  footprint.set_capacity(kFits * kSectorBytes);
  footprint.add_range(0, kFew, kRead);
  footprint.add_range(kFits, 4 * kFits, kRead | Footprint::First);  // one in a set at a time
  CHECK(footprint.in_l2(0));
  CHECK(footprint.in_l2(kFew - 1));
  CHECK_FALSE(footprint.in_l2(kFits));
  const std::uint64_t before = footprint.missed();
  footprint.add_range(0, kFew, kRead);
  CHECK(footprint.missed() == before);
  footprint.begin_launch();
  footprint.add_range(kFits, 4 * kFits, kRead | Footprint::First);
  CHECK(footprint.missed() > 4 * kFits * 9 / 10);  // nothing of it is found again
}

// Each warp reads its part of an array twice, all parts together `times` what L2 holds.
struct Twice {
  static constexpr std::uint64_t kFits = 1 << 16, kWarps = 64;
  std::uint64_t missed = 0, all = 0;
  Twice(double times, bool waits, std::uint64_t side_by_side, bool shared = false,
        bool together = false) {
    Footprint footprint;
    footprint.set_capacity(kFits * kSectorBytes);
    footprint.begin_launch(side_by_side, true, side_by_side * 4);
    const auto part =
        static_cast<std::uint64_t>(times * kFits / kWarps) / kLineSectors * kLineSectors;
    all = part * kWarps;
    for (std::uint64_t block = 0; block < kWarps / 4; ++block) {
      footprint.set_near({0, 0}, true);
      for (int round = 0; round < (waits ? 2 : 1); ++round)
        for (std::uint32_t warp = 0; warp < 4; ++warp) {
          const std::uint64_t first = shared ? 0 : (block * 4 + warp) * part;
          for (std::uint32_t time = 0; time < (waits ? 1 : 2); ++time) {
            footprint.set_warp(warp, 1 + (together ? time : 0));
            for (std::uint64_t at = 0; at < part; at += kLineSectors)
              footprint.add_range(first + at, kLineSectors, Footprint::Read);
          }
        }
    }
    footprint.end_launch();
    missed = footprint.missed();
  }
};

TEST_CASE("what warps that run side by side read again is lost if all of it does not fit") {
  const bool waits = GENERATE(false, true);  // for each other, in between
  CHECK(Twice(2.5, waits, 16).missed == 2 * Twice(2.5, waits, 16).all);
  CHECK(Twice(2.5, waits, 1).missed == Twice(2.5, waits, 1).all);  // one after the other
  CHECK(Twice(0.4, waits, 16).missed == Twice(0.4, waits, 16).all);
}

TEST_CASE("what a warp asks for together with what it has asked for is not lost") {
  const Twice found(2.5, false, 16, false, true);
  CHECK(found.missed == found.all);
}

TEST_CASE("what all warps read again is not lost") {
  const Twice found(2.5, false, 16, true);
  CHECK(found.missed == found.all / Twice::kWarps);
}

TEST_CASE("a line that a warp uses again and again is not lost for that") {
  constexpr auto kRead = Footprint::Read | Footprint::AtHome;
  Footprint footprint;
  footprint.set_capacity((1 << 16) * kSectorBytes);
  footprint.begin_launch(256, true, 1024);  // 16 lines for each
  footprint.set_near({0, 0}, true);
  for (std::uint64_t warp = 0; warp < 8; ++warp) {
    footprint.set_warp(static_cast<std::uint32_t>(warp));
    for (int time = 0; time < 100; ++time)
      for (std::uint64_t line = 0; line < 8; ++line)
        footprint.add_range((warp * 8 + line) * kLineSectors, 1, kRead);
  }
  footprint.end_launch();
  CHECK(footprint.missed() == 64);
}

TEST_CASE("a large copy leaves its end in L2") {
  Footprint footprint;
  footprint.set_capacity(1 << 20);
  footprint.touch(0, 1u << 30, Footprint::Write);
  footprint.begin_launch();
  CHECK(footprint.in_l2((1u << 30) / 32 - 1));
  CHECK_FALSE(footprint.in_l2(0));
}

}  // namespace
}  // namespace emu::observe
