// SPDX-License-Identifier: MIT
// The rules against values derived by hand from what NVIDIA documents, and against a slow counter
// over seeded patterns of every width.
#include "observe/access_rules.hpp"

#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "support/catch.hpp"

namespace emu::observe {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kBase = 0x7000'0000'0000;
constexpr LaneMask kAll = 0xffffffffu;

// 32 addresses made by a function of the lane.
struct Warp {
  std::array<u64, 32> address{};
  MemoryAccess access;

  Warp(u32 bytes, const std::function<u64(u32)>& where, LaneMask mask = kAll,
       MemorySpace space = MemorySpace::Global) {
    for (u32 lane = 0; lane < 32; ++lane) address[lane] = where(lane);
    access = {AccessKind::Load, space, bytes, mask, address.data()};
  }
  Warp(const Warp&) = delete;
};

GlobalCost global(u32 bytes, const std::function<u64(u32)>& where, LaneMask mask = kAll) {
  Warp warp(bytes, where, mask);
  Sectors sectors;
  const GlobalCost cost = global_cost(warp.access, sectors);
  CHECK(sectors.count == cost.sectors);
  return cost;
}
bool is(const GlobalCost& cost, u32 sectors, u32 lines, u32 ideal) {
  UNSCOPED_INFO(cost.sectors << " sectors, " << cost.lines << " lines, ideal " << cost.ideal);
  return cost.sectors == sectors && cost.lines == lines && cost.ideal == ideal;
}
u32 wavefronts(u32 bytes, const std::function<u64(u32)>& where, LaneMask mask = kAll) {
  Warp warp(bytes, where, mask, MemorySpace::Shared);
  return shared_wavefronts(warp.access);
}

TEST_CASE("a coalesced access touches as many sectors as its bytes fill") {
  CHECK(is(global(1, [](u32 l) { return kBase + l; }), 1, 1, 1));
  CHECK(is(global(2, [](u32 l) { return kBase + 2 * l; }), 2, 1, 2));
  CHECK(is(global(4, [](u32 l) { return kBase + 4 * l; }), 4, 1, 4));
  CHECK(is(global(8, [](u32 l) { return kBase + 8 * l; }), 8, 2, 8));
  CHECK(is(global(16, [](u32 l) { return kBase + 16 * l; }), 16, 4, 16));
  CHECK(is(global(32, [](u32 l) { return kBase + 32 * l; }), 32, 8, 32));
}

TEST_CASE("an access shifted by one element touches one sector more") {
  CHECK(is(global(4, [](u32 l) { return kBase + 4 * l + 4; }), 5, 2, 4));
  CHECK(is(global(16, [](u32 l) { return kBase + 16 * l + 16; }), 17, 5, 16));
  CHECK(is(global(4, [](u32 l) { return kBase + 4 * l + 32; }), 4, 2, 4));
}

TEST_CASE("a stride touches more sectors, up to one for each lane") {
  CHECK(is(global(4, [](u32 l) { return kBase + 8 * l; }), 8, 2, 4));
  CHECK(is(global(4, [](u32 l) { return kBase + 16 * l; }), 16, 4, 4));
  CHECK(is(global(4, [](u32 l) { return kBase + 32 * l; }), 32, 8, 4));
  CHECK(is(global(4, [](u32 l) { return kBase + 128 * l; }), 32, 32, 4));
  CHECK(is(global(16, [](u32 l) { return kBase + 32 * l; }), 32, 8, 16));
}

TEST_CASE("lanes that name the same address share its sector") {
  CHECK(is(global(4, [](u32) { return kBase + 64; }), 1, 1, 1));
  CHECK(is(global(16, [](u32) { return kBase + 64; }), 1, 1, 1));
  CHECK(is(global(4, [](u32 l) { return kBase + l % 2 * 4096; }), 2, 2, 1));
}

TEST_CASE("the order of the lanes does not matter") {
  CHECK(is(global(4, [](u32 l) { return kBase + 4 * (31 - l); }), 4, 1, 4));
  CHECK(is(global(4, [](u32 l) { return kBase + 4 * (l * 7 % 32); }), 4, 1, 4));
}

TEST_CASE("lanes that are off ask for nothing") {
  CHECK(is(global(
               4, [](u32 l) { return kBase + 4 * l; }, 0xfffff),
           3, 1, 3));
  CHECK(is(global(
               4, [](u32 l) { return kBase + 4 * l; }, 1u << 31),
           1, 1, 1));
  CHECK(is(global(
               4, [](u32 l) { return kBase + 4 * l; }, 0xaaaaaaaa),
           4, 1, 2));
}

TEST_CASE("a stride of s words in shared memory takes gcd(s, 32) wavefronts") {
  for (u32 s = 1; s <= 33; ++s) {
    CHECK(wavefronts(4, [s](u32 l) { return u64{4} * s * l; }) == std::gcd(s, 32u));
  }
}

TEST_CASE("a word that many lanes read is read once") {
  CHECK(wavefronts(4, [](u32) { return 64; }) == 1);
  CHECK(wavefronts(4, [](u32 l) { return l / 2 * 4; }) == 1);
  CHECK(wavefronts(1, [](u32 l) { return l; }) == 1);
  CHECK(wavefronts(2, [](u32 l) { return 2 * l; }) == 1);
  CHECK(wavefronts(4, [](u32 l) { return l / 16 * 128; }) == 2);
}

TEST_CASE("8 bytes per lane are served by halves, 16 by quarters of a warp") {
  CHECK(wavefronts(8, [](u32 l) { return 8 * l; }) == 2);
  CHECK(wavefronts(8, [](u32 l) { return 16 * l; }) == 4);
  CHECK(wavefronts(8, [](u32 l) { return 24 * l; }) == 2);
  CHECK(wavefronts(8, [](u32 l) { return 128 * l; }) == 32);
  CHECK(wavefronts(16, [](u32 l) { return 16 * l; }) == 4);
  CHECK(wavefronts(16, [](u32 l) { return 32 * l; }) == 8);
  CHECK(wavefronts(16, [](u32 l) { return 48 * l; }) == 4);
  CHECK(wavefronts(16, [](u32 l) { return 128 * l; }) == 32);
}

TEST_CASE("local memory puts the same word of 32 threads side by side") {
  const auto sectors = [](u32 bytes, const std::function<u64(u32)>& where, LaneMask mask = kAll) {
    Warp warp(bytes, where, mask, MemorySpace::Local);
    return local_sectors(warp.access);
  };
  CHECK(sectors(4, [](u32) { return 12; }) == 4);
  CHECK(sectors(
            4, [](u32) { return 12; }, 0xff) == 1);
  CHECK(sectors(8, [](u32) { return 16; }) == 8);
  CHECK(sectors(16, [](u32) { return 16; }) == 16);
  CHECK(sectors(4, [](u32 l) { return 4 * l; }) == 32);
}

TEST_CASE("addresses are grouped with the lanes that name them") {
  Warp warp(4, [](u32 l) { return kBase + l % 5 * 4; });
  Addresses groups;
  group_addresses(warp.access, groups);
  CHECK(groups.count == 5);
  CHECK(groups.most == 7);
  CHECK(groups.address[1] == kBase + 4);
  CHECK(groups.lanes[0] == 7);
  CHECK(groups.lanes[4] == 6);
}

TEST_CASE("seeded patterns of every width and mask: global accesses as counted one by one") {
  std::mt19937 random(4);
  for (int round = 0; round < 4000; ++round) {
    const u32 bytes = 1u << random() % 6;
    const u64 spread = u64{1} << random() % 20;
    const u32 kind = random() % 4;
    const LaneMask mask = random() % 3 == 0 ? kAll : (random() | 1u << random() % 32);
    const u64 base = kBase + random() % 64 * bytes;
    std::array<u64, 32> offset;
    for (u32 l = 0; l < 32; ++l) {
      offset[l] = kind == 0 ? l : kind == 1 ? l * (spread % 40) : random() % spread;
    }
    Warp warp(
        bytes, [&](u32 l) { return base + offset[l] * bytes; }, mask);
    std::set<u64> sectors, lines, places;
    for (u32 l = 0; l < 32; ++l) {
      if (!(mask >> l & 1)) continue;
      sectors.insert(warp.address[l] / 32);
      lines.insert(warp.address[l] / 128);
      places.insert(warp.address[l]);
    }
    Sectors found;
    const GlobalCost cost = global_cost(warp.access, found);
    REQUIRE(cost.sectors == sectors.size());
    REQUIRE(cost.lines == lines.size());
    REQUIRE(cost.ideal == (places.size() * bytes + 31) / 32);
    std::set<u64> listed;
    for (u32 i = 0; i < 64; ++i) {
      if (found.form == Sectors::Form::Run && i < found.count) listed.insert(found.first + i);
      if (found.form == Sectors::Form::Near && (found.near >> i & 1))
        listed.insert(found.first + i);
      if (found.form == Sectors::Form::List && i < found.count) listed.insert(found.list[i]);
    }
    REQUIRE(listed == sectors);
  }
}

}  // namespace
}  // namespace emu::observe
