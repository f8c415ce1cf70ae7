// SPDX-License-Identifier: MIT
// Sectors touched by a launch, against plain sets; what L2 keeps of them.
#include "counters/caches/footprint.hpp"

#include <random>
#include <set>

#include "support/catch.hpp"

namespace emu::observe {
namespace {

MemoryAccess access_of(const std::array<std::uint64_t, 32>& addresses, LaneMask mask) {
  return {AccessKind::Load, MemorySpace::Global, 4, mask, addresses.data()};
}

TEST_CASE("a footprint holds each sector once, however it was touched") {
  std::mt19937_64 random(7);
  Footprint footprint;
  std::set<std::uint64_t> read, written, both;
  for (int round = 0; round < 2000; ++round) {
    std::array<std::uint64_t, 32> addresses;
    const std::uint64_t base = random() % (1 << 24) * 4, step = random() % 3;
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      addresses[lane] = base + (step == 2 ? random() % (1 << 22) : lane * (step + 1)) * 4;
    }
    const auto mask = static_cast<LaneMask>(random() | 1);
    Sectors sectors;
    global_cost(access_of(addresses, mask), sectors);
    const std::uint8_t use = round % 3 + 1;
    footprint.add(sectors, use);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (!(mask >> lane & 1)) continue;
      if (use & Footprint::Read) read.insert(addresses[lane] / 32);
      if (use & Footprint::Write) written.insert(addresses[lane] / 32);
      both.insert(addresses[lane] / 32);
    }
  }
  CHECK(footprint.count(Footprint::Read) == read.size());
  CHECK(footprint.count(Footprint::Write) == written.size());
  CHECK(footprint.count(Footprint::Read | Footprint::Write) == both.size());
  footprint.begin_launch();
  CHECK(footprint.count(Footprint::Read | Footprint::Write) == 0);
}

TEST_CASE("sectors of a request are missed together, in whatever order lanes name them") {
  Footprint footprint;
  Sectors sectors;
  sectors.form = Sectors::Form::List;
  for (std::uint64_t column = 0; column < 4; ++column)
    for (std::uint64_t row = 0; row < 8; ++row) sectors.list[sectors.count++] = row * 4096 + column;
  CHECK(footprint.add(sectors, Footprint::Read) == 32);
  CHECK(footprint.missed() == 32);
  CHECK(footprint.from_dram() == 32);
}

TEST_CASE("a run of sectors that begins with a line is as good as one by one") {
  for (const std::uint64_t first : {0, 4, 60, 4092, 4096}) {
    for (const std::uint32_t count : {1, 4, 8, 16, 32}) {
      Footprint footprint;
      CHECK(footprint.add_run(first, count, Footprint::Read) == count);
      CHECK(footprint.count(Footprint::Read) == count);
      CHECK(footprint.count(Footprint::Write) == 0);
      footprint.add_range(first, count, Footprint::Read);
      CHECK(footprint.count(Footprint::Read) == count);
    }
  }
}

TEST_CASE("what was read or written stays in L2 until it is flushed") {
  Footprint footprint;
  CHECK(footprint.add_run(128, 4, Footprint::Write) == 0);  // needs nothing from DRAM
  CHECK(footprint.add_run(256, 4, Footprint::Read) == 4);
  CHECK(footprint.add_run(256, 8, Footprint::Read) == 4);
  CHECK(footprint.missed() == 8);
  CHECK(footprint.from_dram() == 8);
  footprint.begin_launch();
  CHECK(footprint.missed() == 0);
  CHECK(footprint.add_run(128, 4, Footprint::Read) == 0);
  CHECK(footprint.add_run(256, 8, Footprint::Read) == 0);
  CHECK(footprint.in_l2(263));
  CHECK_FALSE(footprint.in_l2(264));
  footprint.flush();
  CHECK(footprint.add_run(256, 8, Footprint::Read) == 8);
}

TEST_CASE("DRAM gives two sectors at a time") {
  Footprint footprint;
  Sectors one;
  one.form = Sectors::Form::List;
  one.count = 1;
  one.list[0] = 1001;
  CHECK(footprint.add(one, Footprint::Read) == 1);
  CHECK(footprint.from_dram() == 2);
  CHECK(footprint.in_l2(1000));
  CHECK_FALSE(footprint.in_l2(1002));
}

TEST_CASE("what a request asks for together is missed together") {
  Footprint footprint;
  Sectors two;
  two.form = Sectors::Form::List;
  two.count = 3;
  two.list[0] = 1000;
  two.list[1] = 1001;
  two.list[2] = 9001;
  CHECK(footprint.add(two, Footprint::Read) == 3);
  CHECK(footprint.from_dram() == 4);
}

TEST_CASE("the half of L2 where a sector is not at home asks the other one, once") {
  constexpr std::uint64_t kSectors = 1 << 16;
  Footprint footprint;
  footprint.add_range(0, kSectors, Footprint::Read);
  const std::uint64_t first = footprint.asked_again();  // of half of them, as they came
  CHECK(first > kSectors * 2 / 5);
  CHECK(first < kSectors * 3 / 5);
  footprint.add_range(0, kSectors, Footprint::Read);
  CHECK(footprint.asked_again() == first);
  footprint.set_near({1, 0});
  footprint.add_range(0, kSectors, Footprint::Read);
  CHECK(footprint.asked_again() == kSectors);
  CHECK(footprint.missed() == kSectors);
  // A kernel that writes leaves the copy for those that come later, a memset does not.
  footprint.add_range(0, kSectors, Footprint::Write);
  footprint.add_range(0, kSectors, Footprint::Read);
  CHECK(footprint.asked_again() == kSectors);
  footprint.add_range(0, kSectors, Footprint::Read | Footprint::Write);
  footprint.begin_launch();
  footprint.set_near({1, 0});
  footprint.add_range(0, kSectors, Footprint::Read);
  CHECK(footprint.asked_again() == 0);
  footprint.touch(0, kSectors * kSectorBytes, Footprint::Write);
  footprint.add_range(0, kSectors, Footprint::Read);
  CHECK(footprint.asked_again() == kSectors - first);
}

TEST_CASE("what an atomic changes first leaves the half where it is not at home") {
  constexpr std::uint64_t kSectors = 1 << 16;
  for (const std::uint32_t half : {0, 1}) {  // whoever has asked for it
    Footprint footprint;
    footprint.begin_launch();
    for (const std::uint32_t reader : {0, 1}) {
      footprint.set_near({reader, 0});
      footprint.add_range(0, kSectors, Footprint::Read);
    }
    CHECK(footprint.asked_again() == kSectors);
    footprint.set_near({half, 0});
    footprint.add_range(0, kSectors, Footprint::Read | Footprint::Write);
    for (const std::uint32_t reader : {0, 1}) {
      footprint.set_near({reader, 0});
      footprint.add_range(0, kSectors, Footprint::Read);
    }
    CHECK(footprint.asked_again() == 2 * kSectors);
    CHECK(footprint.missed() == kSectors);  // none comes from DRAM again
  }
}

TEST_CASE("a volatile load looks at home as well, and brings no neighbour") {
  constexpr std::uint64_t kSectors = 1 << 12;
  const auto read = [](std::uint8_t how, std::uint64_t times) {
    Footprint footprint;
    footprint.begin_launch();
    footprint.touch(0, kSectors * kSectorBytes, Footprint::Write);  // all is at home
    for (std::uint64_t i = 0; i < times; ++i)
      for (std::uint64_t sector = 0; sector < kSectors; sector += 2)
        footprint.add_range(sector, 1, static_cast<std::uint8_t>(Footprint::Read | how));
    return std::pair(footprint.asked_again(), footprint.came_along());
  };
  constexpr std::uint64_t kFar = kSectors / 4;  // of every other sector one in two
  CHECK(read(0, 1) == std::pair(kFar, kFar));
  CHECK(read(0, 3) == std::pair(kFar, kFar));
  CHECK(read(Footprint::Across, 1) == std::pair(kFar, std::uint64_t{0}));
  CHECK(read(Footprint::Across, 3) == std::pair(kFar, 2 * kFar));
}

TEST_CASE("a copy from the host brings nothing to L2, and leaves there what is there") {
  constexpr std::uint64_t kSectors = 256, kBytes = kSectors * kSectorBytes;
  Footprint footprint;
  const auto missed = [&] {
    footprint.begin_launch();
    footprint.add_range(0, 2 * kSectors, Footprint::Read);
    return footprint.missed();
  };
  footprint.touch(0, 2 * kBytes, Footprint::Write | Footprint::Host);
  CHECK(missed() == 2 * kSectors);
  footprint.touch(0, kBytes, Footprint::Write | Footprint::Host);
  CHECK(missed() == 0);
  footprint.flush();
  footprint.touch(0, kBytes, Footprint::Write);  // a memset does
  CHECK(missed() == kSectors);
}

// Of 3 million loads all over 8 MB, while as many atomics or stores change them, an H200 counts 1.1 or 0.9 million misses; none
// without those.
TEST_CASE(
    "a copy is worth nothing any more when an atomic or a multiprocessor of the home half has "
    "changed it") {
  constexpr std::uint64_t kSectors = 1 << 14;
  const auto asked = [](std::uint32_t writer, std::uint8_t use, bool another_launch) {
    Footprint footprint;
    const auto by = [&](std::uint32_t half) { footprint.set_near({half, 0}); };
    for (const std::uint32_t half : {0u, 1u})
      by(half), footprint.add_range(0, kSectors, Footprint::Read);
    by(writer);
    footprint.add_range(0, kSectors, use);
    if (another_launch) footprint.begin_launch();
    const std::uint64_t before = footprint.asked_again();
    for (int times = 0; times < 2; ++times)
      for (const std::uint32_t half : {0u, 1u})
        by(half), footprint.add_range(0, kSectors, Footprint::Read);
    return footprint.asked_again() - before;
  };
  // Of stores those that are at home in the writer's half, of atomics all, once.
  constexpr std::uint8_t kAtomic = Footprint::Read | Footprint::Write;
  CHECK(asked(0, Footprint::Write, false) + asked(1, Footprint::Write, false) == kSectors);
  CHECK(asked(0, Footprint::Write, false) > kSectors / 3);
  CHECK(asked(0, kAtomic, false) == kSectors);
  CHECK(asked(1, kAtomic, false) == kSectors);
  for (const std::uint8_t use : {std::uint8_t{Footprint::Write}, kAtomic})
    CHECK(asked(0, use, true) == 0);
}

TEST_CASE("what came with a sector that another warp of the block asked for is still on its way") {
  Footprint footprint;
  footprint.begin_launch(8);
  footprint.set_near({0, 0}, true);
  footprint.set_warp(0);
  CHECK(footprint.add_range(0, 1, Footprint::Read) == 1);
  CHECK(footprint.add_range(64, 1, Footprint::Read) == 1);
  CHECK(footprint.add_range(128, 1, Footprint::Read) == 1);
  CHECK(footprint.add_range(65, 1, Footprint::Read) == 0);  // who asked has waited
  footprint.set_warp(1);
  CHECK(footprint.add_range(1, 1, Footprint::Read) == 1);
  CHECK(footprint.add_range(1, 1, Footprint::Read) == 0);
  CHECK(footprint.add_range(65, 1, Footprint::Read) == 0);
  footprint.set_near({0, 0}, true);  // another block, later
  CHECK(footprint.add_range(129, 1, Footprint::Read) == 0);
  CHECK(footprint.on_their_way() == 1);
  CHECK(footprint.missed() == 3);
  CHECK(footprint.from_dram() == 6);
  footprint.begin_launch(8);
  CHECK(footprint.on_their_way() == 0);
}

TEST_CASE("what one half takes from the other comes in pairs too") {
  constexpr std::uint64_t kPairs = 1 << 15;
  constexpr auto kRead = Footprint::Read | Footprint::AtHome;
  Footprint footprint;
  footprint.add_range(0, 2 * kPairs, kRead);
  // One sector of each pair, then the others: half of them are at home elsewhere, and come with the first.
  for (std::uint64_t pair = 0; pair < kPairs; ++pair)
    footprint.add_range(2 * pair, 1, Footprint::Read);
  const std::uint64_t asked = footprint.asked_again();
  CHECK(asked > kPairs * 2 / 5);
  CHECK(asked < kPairs * 3 / 5);
  CHECK(footprint.came_along() == asked);
  for (std::uint64_t pair = 0; pair < kPairs; ++pair)
    footprint.add_range(2 * pair + 1, 1, Footprint::Read);
  CHECK(footprint.asked_again() == asked);
  // What is asked for together does not come along.
  footprint.begin_launch();
  footprint.set_near({1, 0});
  footprint.add_range(0, 2 * kPairs, Footprint::Read);
  CHECK(footprint.asked_again() == 2 * (kPairs - asked));
  CHECK(footprint.came_along() == 0);
}

TEST_CASE("a range of sectors may cross pages") {
  Footprint footprint;
  footprint.add_range(4000, 10000, Footprint::Read);
  footprint.add_range(4100, 5, Footprint::Write);
  CHECK(footprint.count(Footprint::Read) == 10000);
  CHECK(footprint.count(Footprint::Write) == 5);
  CHECK(footprint.count(Footprint::Read | Footprint::Write) == 10000);
}

TEST_CASE(
    "a row of DRAM is opened once if it is read on end, and for each place if those lie apart") {
  constexpr std::uint64_t kSectors = 32 * 1024;
  Footprint stream, far;
  stream.add_range(0, kSectors, Footprint::Read);
  CHECK(stream.rows_opened() == kSectors * kSectorBytes / Footprint::kRowBytes);
  for (std::uint64_t i = 0; i < 1000; ++i) far.add_range(i * 7919 * 64, 1, Footprint::Read);
  CHECK(far.rows_opened() == 1000);
  far.begin_launch();
  CHECK(far.rows_opened() == 0);
  for (std::uint64_t i = 0; i < 1000; ++i) far.add_range(i * 7919 * 64, 1, Footprint::Read);
  CHECK(far.rows_opened() == 0);  // in L2
}

TEST_CASE("a load that must see what others wrote asks where that is at home, and only there") {
  constexpr std::uint64_t kSectors = 64 * 256;
  Footprint footprint;
  footprint.add_range(0, kSectors, Footprint::Write);
  for (const std::uint32_t half : {0, 1}) {
    footprint.set_near({static_cast<std::uint32_t>(half), 0});
    footprint.add_range(0, kSectors, Footprint::Read | Footprint::AtHome);
  }
  CHECK(footprint.asked_again() == 0);
  CHECK(footprint.count(Footprint::Read) == kSectors);
  for (const std::uint32_t half : {0, 1}) {
    footprint.set_near({static_cast<std::uint32_t>(half), 0});
    footprint.add_range(0, kSectors, Footprint::Read);
  }
  CHECK(footprint.asked_again() == kSectors / 2);  // the half that wrote has what it wrote
}

// A warp stores a word of each of 32 sectors that lie `apart` from each other.
void store_words(Footprint& footprint, std::uint64_t first, std::uint64_t apart,
                 std::uint64_t word = 0) {
  std::array<std::uint64_t, 32> addresses;
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    addresses[lane] = (first + lane * apart) * kSectorBytes + word * 4;
  MemoryAccess store = access_of(addresses, ~LaneMask{0});
  store.kind = AccessKind::Store;
  Sectors sectors;
  const GlobalCost cost = global_cost(store, sectors);
  footprint.add(sectors,
                static_cast<std::uint8_t>(Footprint::Write | footprint.part_of(store, cost)));
}

TEST_CASE("of sectors that are written in part too many are filled up from DRAM, and leave") {
  constexpr std::uint64_t kLines = 16 * 1024, kStores = kLines / 2 / 32;
  const auto after = [](std::uint64_t words) {
    auto footprint = std::make_unique<Footprint>();
    footprint->set_capacity(kLines * kLineSectors * kSectorBytes);
    for (std::uint64_t i = 0; i < kStores; ++i)
      for (std::uint64_t word = 0; word < words; ++word) store_words(*footprint, i * 128, 4, word);
    return footprint;
  };
  const auto part = after(1), whole = after(8);
  CHECK(part->filled() > kLines / 4);
  CHECK(part->filled() < kLines / 2);  // the last ones still wait
  CHECK(part->lines_written_back() == part->written_back());
  CHECK(whole->filled() == 0);
}

TEST_CASE("lines that all warps fill at a time leave before they are whole, if they are too many") {
  constexpr std::uint64_t kLines = 16 * 1024, kStores = 10, kSectors = 2, kWords = 8;
  const auto filled = [](std::uint64_t warps) {
    Footprint footprint;
    footprint.set_capacity(kLines * kLineSectors * kSectorBytes);
    footprint.begin_launch(warps, true, warps);
    for (std::uint64_t i = 0; i < kStores; ++i)
      for (std::uint64_t sector = 0; sector < kSectors; ++sector)
        for (std::uint64_t word = 0; word < kWords; ++word)
          store_words(footprint, i * 128 + sector, 4, word);
    return footprint.filled();
  };
  constexpr std::uint64_t kAll = kStores * 32 * kSectors;
  CHECK(filled(500) > kAll * 3 / 4);
  CHECK(filled(500) < kAll * 17 / 20);
  // If they are fewer, some of what comes behind the first sector of a line; if they are few, nothing.
  CHECK(filled(50) > kAll / 20);
  CHECK(filled(50) < kAll / 7);
  CHECK(filled(1) < 4);
}

TEST_CASE("a store that writes sectors whole fills nothing up, wherever it begins") {
  Footprint footprint;
  std::array<std::uint64_t, 32> addresses;
  for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = 4096 + lane * 4;
  MemoryAccess store = access_of(addresses, ~LaneMask{0});
  Sectors sectors;
  CHECK(footprint.part_of(store, global_cost(store, sectors)) == 0);
  for (std::uint64_t& address : addresses) address += 4;
  CHECK(footprint.part_of(store, global_cost(store, sectors)) == Footprint::Part);
}

}  // namespace
}  // namespace emu::observe
