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
  Footprint footprint;
  footprint.set_capacity(kFits * kSectorBytes);
  footprint.add_range(0, kFits * 2 / 5, Footprint::Write);
  CHECK(footprint.written_back() == 0);
  footprint.add_range(kFits * 2 / 5, kFits - kFits * 2 / 5, Footprint::Write);
  const std::uint64_t left = kFits - footprint.written_back();
  CHECK(left > kFits / 2);
  CHECK(left < kFits * 3 / 4);
  std::uint64_t there = 0;  // it is still there, only clean; a set may be full
  for (std::uint64_t sector = 0; sector < kSectors; ++sector) there += footprint.in_l2(sector);
  CHECK(there > kSectors * 3 / 4);
  // Who writes all of it again makes it dirty again.
  footprint.add_range(0, kFits, Footprint::Write);
  CHECK(footprint.written_back() > kFits - left);
  CHECK(footprint.written_back() <= 2 * kFits - left);
  footprint.flush();
  footprint.begin_launch();
  footprint.add_range(0, kFits * 2 / 5, Footprint::Write);
  CHECK(footprint.written_back() == 0);
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
  // A kernel that writes leaves the copy, a memset does not.
  footprint.add_range(0, kSectors, Footprint::Write);
  footprint.add_range(0, kSectors, Footprint::Read | Footprint::Write);
  footprint.add_range(0, kSectors, Footprint::Read);
  CHECK(footprint.asked_again() == kSectors);
  footprint.touch(0, kSectors * kSectorBytes, Footprint::Write);
  footprint.add_range(0, kSectors, Footprint::Read);
  CHECK(footprint.asked_again() == kSectors + (kSectors - first));
}

TEST_CASE("what came long ago leaves before what came late, wherever it lies") {
  constexpr std::uint64_t kWord = 64, kWords = 64;  // sectors of 2 KiB; those of 128 KiB
  Footprint footprint;
  footprint.set_capacity(128 * kWord * kSectorBytes);
  // A column of 2 KiB in 64 pages is written, and the next one: two of each page.
  for (std::uint64_t column = 0; column < 4; ++column)
    for (std::uint64_t row = 0; row < 64; ++row)
      footprint.add_range((row * kWords + column) * kWord, kWord, Footprint::Write);
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

TEST_CASE("a copy in the other half takes room of its own") {
  constexpr std::uint64_t kSectors = 4096, kFits = 64 * kSectors;
  Footprint one, both;
  for (Footprint* footprint : {&one, &both}) footprint->set_capacity(kFits * kSectorBytes);
  one.add_range(0, kFits * 3 / 4, Footprint::Read | Footprint::AtHome);
  one.add_range(0, kFits * 3 / 4, Footprint::Read | Footprint::AtHome);
  CHECK(one.missed() == kFits * 3 / 4);
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
  std::array<std::uint64_t, 2> missed{};
  for (const std::uint64_t side_by_side : {1, 256}) {
    Footprint footprint;
    footprint.set_capacity(kFits * kSectorBytes);
    footprint.begin_launch(side_by_side);
    for (int round = 0; round < 4; ++round) {
      for (std::uint64_t first = 0; first < kFits * 5 / 4; first += kBlock) {
        footprint.set_near({0, 0}, true);
        footprint.add_range(first, kBlock, Footprint::Read | Footprint::AtHome);
      }
    }
    missed[side_by_side > 1] = footprint.missed();
  }
  CHECK(missed[0] > 4 * kFits);  // in order: what comes next has just left
  CHECK(missed[1] < missed[0] * 4 / 5);
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

TEST_CASE("a large copy leaves its end in L2") {
  Footprint footprint;
  footprint.set_capacity(1 << 20);
  footprint.touch(0, 1u << 30, Footprint::Write);
  footprint.begin_launch();
  CHECK(footprint.in_l2((1u << 30) / 32 - 1));
  CHECK_FALSE(footprint.in_l2(0));
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
  CHECK(footprint.asked_again() == kSectors);
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
