// SPDX-License-Identifier: MIT
// The first-level cache: its size, and patterns whose hits are known.
#include "counters/caches/level1.hpp"

#include "counters/caches/level1_size.hpp"
#include "support/catch.hpp"
#include "support/level1_machine.hpp"

namespace emu::observe {
namespace {

// launch__shared_mem_config_size, as ncu has it.
TEST_CASE("shared memory gets what the driver of an H200 gives it") {
  const auto shared = [](std::uint32_t threads, std::uint32_t asked) {
    exec::Grid grid;
    grid.profile = devices::find("h200");
    grid.grid = {1, 1, 1};
    grid.block = {threads, 1, 1};
    grid.dynamic_shared = asked;
    return 256 - level1_bytes(grid) / 1024;
  };
  CHECK(shared(32, 0) == 32);
  CHECK(shared(256, 0) == 32);
  CHECK(shared(512, 0) == 16);
  CHECK(shared(1024, 0) == 8);
  CHECK(shared(128, 256) == 64);
  CHECK(shared(256, 1024) == 32);
  CHECK(shared(256, 4096) == 100);
  CHECK(shared(256, 12000) == 132);
  CHECK(shared(256, 16384) == 164);
  CHECK(shared(256, 100000) == 228);
  CHECK(shared(256, 116000) == 132);
  CHECK(shared(512, 16384) == 132);
  CHECK(shared(512, 49152) == 196);
  CHECK(shared(1024, 2048) == 8);
  CHECK(shared(1024, 65536) == 132);
  CHECK(shared(32, 8192) == 228);
}

TEST_CASE("a GPU whose blocks have no shared memory of their own leaves nearly all to the cache") {
  exec::Grid grid;
  grid.profile = devices::find("t4");
  grid.grid = {1, 1, 1};
  grid.block = {256, 1, 1};
  REQUIRE(grid.profile->shared_reserved_per_block == 0);
  CHECK(level1_bytes(grid) == level1_and_shared(*grid.profile) - 8 * 1024);
}

TEST_CASE("who walks round more lines than fit finds none of them again") {
  Machine m(1);
  for (int round = 0; round < 4; ++round) REQUIRE(m.touch(0, 1000, 4096));  // 512 KiB
  CHECK(m.found().hits == 0);
}

TEST_CASE("of the slices of L2, those count that are asked") {
  Machine few(1), all(1);
  few.touch(0, 1000, 4);  // 512 bytes on end
  few.touch(0, 1000, 4);
  few.found();
  CHECK(few.level1.slices() == 1);
  all.touch(0, 1000, 8192);
  all.found();
  CHECK(all.level1.slices() == 96);
}

TEST_CASE("what fits is read from DRAM once") {
  Machine m(1);
  for (int round = 0; round < 4; ++round) REQUIRE(m.touch(0, 1000, 512));  // 64 KiB
  CHECK(m.found().requests == 4 * 512);
  CHECK(m.found().hits == 3 * 4 * 512);
  CHECK(m.found().whole == 3 * 512);
}

TEST_CASE("a run of sectors is one request, wherever in a line it begins and ends") {
  Machine m(1);
  const auto read = [&](std::uint64_t first, std::uint32_t count) {
    exec::Block b;
    b.warps.push_back(nullptr);
    REQUIRE(m.level1.watches(b));
    Sectors sectors;
    sectors.first = first;
    sectors.count = count;
    m.level1.add(0, 0, Level1::How::Load, sectors);
    return m.found();
  };
  CHECK(read(4003, 6).sectors == 6);  // the last of a line, a whole one, the first of the next
  CHECK(read(4003, 6).whole == 1);
  CHECK(read(4002, 8).hits == 6 + 6);  // one more at each end
  const Level1::Found all = read(4005, 2);
  CHECK(all.requests == 4);
  CHECK(all.sectors == 6 + 6 + 8 + 2);
  CHECK(all.hits == 6 + 6 + 2);
  CHECK(all.whole == 2);
}

TEST_CASE("a line is looked up once for all lanes of a store that want something of it") {
  Machine m(1);
  exec::Block b;
  b.warps.push_back(nullptr);
  REQUIRE(m.level1.watches(b));
  Sectors sectors;
  sectors.form = Sectors::Form::List;
  for (std::uint64_t i = 0; i < 16;
       ++i)  // the first sectors of four lines, then their second ones ...
    sectors.list[sectors.count++] = 4000 + i % 4 * kLineSectors + i / 4;
  m.level1.add(0, 0, Level1::How::Store, sectors);
  CHECK(m.found().sectors == 16);
  CHECK(m.found().hits == 0);
}

TEST_CASE(
    "of two warps of a block that store to one sector at the same time one is known, unless each "
    "stores to many lines") {
  const auto beside = [](std::uint32_t sectors, std::uint32_t apart, std::uint32_t second) {
    Machine m(1);
    exec::Block b;
    b.warps.resize(2);
    REQUIRE(m.level1.watches(b));
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      Sectors to;
      to.form = Sectors::Form::List;
      to.count = sectors;
      for (std::uint32_t i = 0; i < sectors; ++i)
        to.list[i] = 1000 + warp * (sectors - 1) * apart + i * apart;
      m.level1.add(warp, warp ? second : 1, Level1::How::Store, to);
    }
    return m.level1.play(9)[second].beside;
  };
  CHECK(beside(3, 1, 1) == 1);
  CHECK(beside(3, 1, 2) == 0);   // by another instruction
  CHECK(beside(20, 4, 1) == 0);  // 20 lines
  CHECK(beside(1, 1, 1) == 0);   // a word by each warp
}

TEST_CASE("sectors that a warp stores to again right away are known, not those of long ago") {
  const auto again = [](std::uint32_t second, Level1::How between) {
    Machine m(1);
    exec::Block b;
    b.warps.push_back(nullptr);
    REQUIRE(m.level1.watches(b));
    const auto one = [&](std::uint32_t instruction, Level1::How how, std::uint64_t first) {
      Sectors sectors;
      sectors.first = first;
      sectors.count = 3;
      m.level1.add(0, instruction, how, sectors);
    };
    one(0, Level1::How::Store, 4000);
    if (between == Level1::How::Load) one(1, between, 9000);
    one(second, Level1::How::Store, 4001);
    return m.level1.play(40)[second].again;
  };
  CHECK(again(2, Level1::How::Store) == 2);
  CHECK(again(30, Level1::How::Store) == 0);
  CHECK(again(2, Level1::How::Load) == 0);
}

TEST_CASE("a warp waits for what it has asked for where the code branches") {
  // Eight blocks of a multiprocessor read what fits for one of them, twice.
  const auto found = [](bool branches, std::uint32_t target = 0,
                        const ptx::Instruction* between = nullptr) {
    Machine m(8 * 132);
    exec::Code code;
    code.instrs.resize(3);
    code.instrs[1].flow = branches ? exec::Flow::Branch : exec::Flow::Next;
    code.instrs[1].target = target;
    code.instrs[1].source = between;
    if (between) code.instrs[1].row = between->row;
    m.level1.number(code);
    for (std::uint32_t block = 0; block < 8 * 132; ++block) {
      exec::Block b;
      b.linear = block;
      b.warps.push_back(nullptr);
      if (!m.level1.watches(b)) continue;
      for (const std::uint32_t instruction : {0, 2}) {
        Sectors sectors;
        sectors.first = block * 512 * kLineSectors;
        sectors.count = 384 * kLineSectors;
        m.level1.add(0, instruction, Level1::How::Load, sectors);
      }
    }
    return m.level1.play(3)[2];
  };
  CHECK(found(false).hits == found(false).sectors);
  CHECK(found(true).hits < found(true).sectors / 10);    // by then the others have read theirs
  CHECK(found(true, 2).hits == found(true, 2).sectors);  // a predicate is no branch
  // Nothing is moved over what the compiler calls a function for: an exact division.
  ptx::Instruction division;
  division.row = ptx::Row::div_float;
  division.types = {ptx::Type::F32};
  division.mods = {"full"};
  CHECK(found(false, 0, &division).hits == found(false).hits);
  division.mods = {"rn"};
  CHECK(found(false, 0, &division).hits < found(false).hits / 10);
}

TEST_CASE("while many warps have many lines each to store to, a few go on and find theirs again") {
  // 64 warps of a multiprocessor, each of which stores to its own 128 lines again and again.
  const auto found = [](std::uint32_t lanes) {
    Machine m(8 * 132, 0, 256);
    for (std::uint64_t block = 0; block < 8 * 132; ++block) {
      exec::Block b;
      b.linear = block;
      b.warps.resize(8);
      if (!m.level1.watches(b)) continue;
      for (std::uint32_t warp = 0; warp < 8; ++warp)
        for (std::uint32_t request = 0; request < 64; ++request) {
          Sectors sectors;
          sectors.form = Sectors::Form::List;
          sectors.count = lanes;
          for (std::uint32_t lane = 0; lane < lanes; ++lane)
            sectors.list[lane] =
                (((block * 8 + warp) * 4 + request % 4) * 32 + lane) * kLineSectors;
          m.level1.add(warp, 0, Level1::How::Store, sectors);
        }
    }
    const Level1::Found found = m.found();
    return static_cast<double>(found.hits) / static_cast<double>(found.sectors);
  };
  CHECK(found(32) > 0.8);  // of three rounds at a time two would be found
  CHECK(found(1) > 0.9);   // all of them fit
}

TEST_CASE("nearly all lines on end fit that there is room for") {
  Machine m(1);  // 224 KiB: 1792 lines, 64 of them not for data
  for (int round = 0; round < 2; ++round) REQUIRE(m.touch(0, 1024, 1728));
  CHECK(m.found().hits == 1728 * kLineSectors);
}

TEST_CASE("sectors that are stored to after they were read are known") {
  Machine m(1);
  REQUIRE(m.touch(0, 1000, 8));
  REQUIRE(m.touch(0, 1004, 8, Level1::How::Store));
  CHECK(m.found().in_place == 4 * 4);
  REQUIRE(m.touch(0, 1004, 8, Level1::How::Store));
  CHECK(m.found().in_place == 2 * 4 * 4);  // storing is not reading
}

TEST_CASE("an acquire leaves nothing in the cache") {
  Machine m(1);
  REQUIRE(m.touch(0, 1000, 8));
  REQUIRE(m.touch(0, 5000, 1, Level1::How::Past));
  REQUIRE(m.touch(0, 1000, 8));
  CHECK(m.found().hits == 4 * 8);
  REQUIRE(m.touch(0, 5000, 1, Level1::How::Acquire));
  REQUIRE(m.touch(0, 1000, 8));
  CHECK(m.found().hits == 4 * 8);
  REQUIRE(m.touch(0, 1000, 8));
  CHECK(m.found().hits == 2 * 4 * 8);
}

TEST_CASE("a line that another warp has just asked for is waited for, once") {
  Machine m(264);
  REQUIRE(m.touch(m.block(0), 0, 3));
  REQUIRE(m.touch(m.block(1), 0, 3));
  REQUIRE(m.touch(m.block(1), 0, 3));  // it has waited by now
  CHECK(m.found().whole == 6);
  CHECK(m.found().late == 3);
}

TEST_CASE("blocks that run side by side compete for the cache") {
  Machine m(132 * 8);
  for (std::uint64_t block = 0; block < 8; ++block)
    for (int round = 0; round < 2; ++round) REQUIRE(m.touch(m.block(block), 10000 * block, 1024));
  const double share = static_cast<double>(m.found().hits) / static_cast<double>(m.found().sectors);
  CHECK(share < 0.2);  // each of them alone would find half
}

TEST_CASE("a store finds what was loaded, a load without a place as well") {
  using How = Level1::How;
  Machine m(1);
  m.touch(0, 0, 1);
  m.touch(0, 0, 1, How::Store);
  CHECK(m.found().hits == 4);
  m.touch(0, 0, 1, How::NoAllocate);
  CHECK(m.found().hits == 8);
}

TEST_CASE("an atomic or a load that goes past L1 takes the whole line away, a fence all lines") {
  using How = Level1::How;
  for (const How how : {How::Past, How::Atomic}) {
    Machine m(1);
    m.touch(0, 0, 2);
    Sectors one;
    one.first = 1;
    one.count = 1;
    m.level1.add(0, 0, how, one);
    m.touch(0, 0, 2);
    CHECK(m.found().hits == 4);  // those of the other line
  }
  Machine m(1);
  m.touch(0, 0, 2);
  m.level1.fence(0, 0);
  m.touch(0, 0, 2);
  CHECK(m.found().hits == 0);
  m.touch(0, 0, 2);
  CHECK(m.found().hits == 8);
}

TEST_CASE("stores and loads find what was stored") {
  using How = Level1::How;
  Machine m(1);
  m.touch(0, 0, 1, How::Store);
  CHECK(m.found().hits == 0);
  m.touch(0, 0, 1, How::Store);
  CHECK(m.found().hits == 4);
  m.touch(0, 0, 1);
  CHECK(m.found().hits == 8);
}

TEST_CASE("a load finds the words that were stored, not those beside them") {
  Machine m(1);
  const auto touch = [&](std::uint64_t word, Level1::How how) {
    exec::Block b;
    b.warps.push_back(nullptr);
    REQUIRE(m.level1.watches(b));
    Sectors sectors;
    sectors.first = 4000;
    sectors.count = 1;
    std::array<std::uint64_t, kWarpLanes> addresses{};
    addresses[0] = 4000 * kSectorBytes + 4 * word;
    MemoryAccess access{};
    access.addresses = addresses.data();
    access.mask = 1;
    access.bytes_per_lane = 4;
    m.level1.add(0, 0, how, sectors, &access);
    return m.found().hits;
  };
  touch(2, Level1::How::Store);
  CHECK(touch(2, Level1::How::Load) == 1);
  CHECK(touch(3, Level1::How::Load) == 1);
  CHECK(touch(4, Level1::How::Load) == 2);  // the load before has brought the sector
}

TEST_CASE("before an atomic the others have read as well, if they began at the same time") {
  Machine m(264);
  for (const std::uint64_t block : {m.block(0), m.block(1)}) {
    REQUIRE(m.touch(block, 0, 1));
    REQUIRE(m.touch(block, 0, 1, Level1::How::Atomic));
  }
  CHECK(m.found().hits == 4);
}

}  // namespace
}  // namespace emu::observe
