// SPDX-License-Identifier: MIT
// The rules against values derived by hand from what NVIDIA documents and an H200 counted, and against a slow counter
// over seeded patterns of every width.
#include "counters/access_rules.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "counters/lane_steps.hpp"
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
u32 sectors_of_atomic(const std::function<u64(u32)>& where, LaneMask mask = kAll) {
  Warp warp(4, where, mask);
  return atomic_sectors(warp.access);
}
SharedCost shared(AccessKind kind, u32 bytes, const std::function<u64(u32)>& where,
                  LaneMask mask = kAll) {
  Warp warp(bytes, where, mask, MemorySpace::Shared);
  warp.access.kind = kind;
  return shared_cost(warp.access);
}
u32 wavefronts(u32 bytes, const std::function<u64(u32)>& where, LaneMask mask = kAll) {
  return shared(AccessKind::Load, bytes, where, mask).wavefronts;
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
  CHECK(is(global(4, [](u32 l) { return kBase + l % 2 * 4096; }), 2, 2, 2));
  CHECK(is(global(4, [](u32 l) { return kBase + l / 2 * 32; }), 16, 4, 4));
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

// What an H200 counted (tests/counters/h200.json); a rule that is simpler than these is wrong.
TEST_CASE("wide loads of lanes that name their neighbour's address take half the phases") {
  const auto pairs = [](u32 bytes) { return [bytes](u32 l) { return l / 2 * bytes; }; };
  const auto two = [](u32 bytes) { return [bytes](u32 l) { return l % 2 * bytes; }; };
  const auto halves = [](u32 bytes) { return [bytes](u32 l) { return l % 16 * bytes; }; };
  CHECK(wavefronts(8, [](u32) { return 64; }) == 1);
  CHECK(wavefronts(8, pairs(8)) == 1);
  CHECK(wavefronts(8, two(8)) == 1);
  CHECK(wavefronts(8, halves(8)) == 2);
  CHECK(wavefronts(16, [](u32) { return 64; }) == 2);
  CHECK(wavefronts(16, pairs(16)) == 2);
  CHECK(wavefronts(16, two(16)) == 2);
  CHECK(wavefronts(16, halves(16)) == 4);
  const auto in_one_half = [](u32 l) { return l < 16 ? l / 2 * 16 : l % 16 * 16; };
  const auto of_two_kinds = [](u32 l) { return l < 16 ? l / 2 * 16 : l % 2 * 16; };
  CHECK(wavefronts(16, in_one_half) == 3);
  CHECK(wavefronts(16, of_two_kinds) == 2);
  for (const AccessKind kind : {AccessKind::Store, AccessKind::AsyncCopy}) {
    CHECK(shared(kind, 8, pairs(8)).wavefronts == 2);
    CHECK(shared(kind, 16, [](u32) { return 64; }).wavefronts == 4);
  }
}

TEST_CASE("lanes of an atomic do not share a word of shared memory") {
  for (const AccessKind kind : {AccessKind::Atomic, AccessKind::Reduction}) {
    CHECK(shared(kind, 4, [](u32 l) { return 4 * l; }).wavefronts == 1);
    CHECK(shared(kind, 4, [](u32 l) { return l % 4 * 4; }).wavefronts == 8);
    CHECK(shared(kind, 4, [](u32 l) { return 128 * l; }).wavefronts == 32);
    CHECK(shared(kind, 4, [](u32) { return 64; }).wavefronts == 32);
    CHECK(shared(kind, 4, [](u32) { return 64; }).ideal == 1);
  }
}

TEST_CASE("an atomic sends a sector as often as the address in it that most lanes name") {
  CHECK(sectors_of_atomic([](u32 l) { return kBase + 4 * l; }) == 4);
  CHECK(sectors_of_atomic([](u32) { return kBase; }) == 32);
  CHECK(sectors_of_atomic([](u32) { return kBase; }, 0xff) == 8);
  CHECK(sectors_of_atomic([](u32 l) { return kBase + l % 4 * 4; }) == 8);
  CHECK(sectors_of_atomic([](u32 l) { return kBase + l % 8 * 4; }) == 4);
  CHECK(sectors_of_atomic([](u32 l) { return kBase + l % 8 * 256; }) == 32);
  CHECK(sectors_of_atomic([](u32 l) { return kBase + (l < 16 ? 0 : 4 * l); }) == 16 + 2);
}

TEST_CASE("the ideal is what the lanes need side by side, but never more than the access takes") {
  const auto ideal = [](u32 bytes, const std::function<u64(u32)>& where, LaneMask mask = kAll) {
    return shared(AccessKind::Load, bytes, where, mask).ideal;
  };
  CHECK(ideal(4, [](u32 l) { return 128 * l; }) == 1);
  CHECK(ideal(8, [](u32 l) { return 16 * l; }) == 2);
  CHECK(ideal(8, [](u32) { return 64; }) == 1);
  CHECK(ideal(
            8, [](u32 l) { return 8 * l; }, 0xaaaaaaaa) == 1);
  CHECK(ideal(16, [](u32) { return 64; }) == 2);
  CHECK(ideal(
            16, [](u32 l) { return 16 * l; }, 0x03030303) == 1);
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
    REQUIRE(cost.places == places.size());
    REQUIRE(shared_cost(warp.access).places == places.size());
    const u64 filled = (static_cast<u64>(std::popcount(mask)) * bytes + 31) / 32;
    REQUIRE(cost.ideal == std::min<u64>(sectors.size(), filled));
    std::set<u64> listed;
    for (u32 i = 0; i < 64; ++i) {
      if (found.form == Sectors::Form::Run && i < found.count) listed.insert(found.first + i);
      if (found.form == Sectors::Form::Near && (found.near >> i & 1))
        listed.insert(found.first + i);
      if (found.form == Sectors::Form::List && i < found.count) listed.insert(found.list[i]);
    }
    REQUIRE(listed == sectors);
    if (cost.in_order && bytes <= 4) REQUIRE(bank_passes(warp.access) == 1);
  }
}

TEST_CASE("the places that 32 addresses name are those of each, modulo 64") {
  std::mt19937_64 random(3);
  for (int shift = 0; shift < 8; ++shift) {
    std::array<u64, 32> address;
    u64 expected = 0;
    for (u64& a : address) expected |= u64{1} << ((a = random()) >> shift) % 64;
    CHECK(places_named(address.data(), shift) == expected);
  }
}

TEST_CASE("addresses lie in steps only where all of them do") {
  for (const u64 step : {0, 1, 2, 4, 8, 16, 32, 64, 128}) {
    std::array<u64, 32> address;
    for (u64 lane = 0; lane < 32; ++lane) address[lane] = kBase + lane * step;
    CHECK(steps_by(address.data(), step));
    for (u64& a : address) {
      ++a;
      CHECK_FALSE(steps_by(address.data(), step));
      --a;
    }
  }
}

}  // namespace
}  // namespace emu::observe
