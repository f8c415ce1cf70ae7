// SPDX-License-Identifier: MIT
// Sectors touched by a launch and atomics on each address, against plain sets and maps.
#include "counters/footprint.hpp"

#include <map>
#include <random>
#include <set>
#include <tuple>

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
      CHECK_FALSE(footprint.add_run(first, count, Footprint::Read));
      CHECK(footprint.count(Footprint::Read) == count);
      CHECK(footprint.count(Footprint::Write) == 0);
      footprint.add_range(first, count, Footprint::Read);
      CHECK(footprint.count(Footprint::Read) == count);
    }
  }
}

TEST_CASE("what this launch or the one before wrote is in L2, in pieces of 4 KiB") {
  Footprint footprint;
  footprint.add_run(128, 4, Footprint::Write);
  CHECK(footprint.in_l2(128));
  CHECK(footprint.in_l2(255));
  CHECK_FALSE(footprint.in_l2(127));
  CHECK_FALSE(footprint.in_l2(256));
  footprint.begin_launch();
  CHECK(footprint.add_run(252, 4, Footprint::Read));
  CHECK_FALSE(footprint.add_run(256, 4, Footprint::Read));
  footprint.begin_launch();
  CHECK_FALSE(footprint.in_l2(128));  // it was only read since
}

TEST_CASE("a range of sectors may cross pages") {
  Footprint footprint;
  footprint.add_range(4000, 10000, Footprint::Read);
  footprint.add_range(4100, 5, Footprint::Write);
  CHECK(footprint.count(Footprint::Read) == 10000);
  CHECK(footprint.count(Footprint::Write) == 5);
  CHECK(footprint.count(Footprint::Read | Footprint::Write) == 10000);
}

TEST_CASE("a tally knows the address with most atomics, per lane and per request") {
  std::mt19937_64 random(11);
  AddressTally tally;
  std::map<std::uint64_t, std::uint64_t> lanes, requests;
  for (int round = 0; round < 500; ++round) {
    std::array<std::uint64_t, 32> addresses;
    for (auto& a : addresses) a = random() % (round % 4 == 0 ? 1 : round % 4 == 1 ? 40 : 3000) * 4;
    std::map<std::uint64_t, std::uint32_t> here;
    for (const auto a : addresses) ++here[a];
    std::uint32_t most = 0;
    for (const auto& [address, n] : here) {
      lanes[address] += n;
      ++requests[address];
      most = std::max(most, n);
    }
    const auto added = tally.add(access_of(addresses, 0xffffffffu));
    REQUIRE(added.most == most);
    REQUIRE(added.addresses == here.size());
    Sectors near, all;
    const GlobalCost cost = global_cost(access_of(addresses, 0xffffffffu), all);
    if (added.near) {
      const GlobalCost same = near_cost(addresses[0], added.near, 32, 4, added.addresses, near);
      REQUIRE(std::tie(same.sectors, same.lines, same.ideal, same.places) ==
              std::tie(cost.sectors, cost.lines, cost.ideal, cost.places));
    }
    REQUIRE(added.sectors == atomic_sectors(access_of(addresses, 0xffffffffu)));
  }
  const auto largest = [](const auto& map) {
    std::uint64_t most = 0;
    for (const auto& [address, n] : map) most = std::max(most, n);
    return most;
  };
  const auto totals = tally.totals();
  CHECK(totals.addresses == lanes.size());
  CHECK(totals.most_lanes == largest(lanes));
  CHECK(totals.most_requests == largest(requests));
}

TEST_CASE("a tally of atomics all over memory takes a bounded part of the host's") {
  AddressTally tally;
  constexpr std::uint64_t kPage = 2048;
  const std::uint64_t pages = 3 * AddressTally::kMostPages;
  for (std::uint64_t page = 0; page < pages; ++page) {
    std::array<std::uint64_t, 32> addresses;
    for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = page * kPage + lane / 2 * 4;
    tally.add(access_of(addresses, 0xffffffffu));
    if (page == 7) tally.add(access_of(addresses, 0xffffffffu));
  }
  CHECK(tally.pages() == AddressTally::kMostPages);
  CHECK(tally.totals().addresses == 16 * pages);
  CHECK(tally.totals().most_lanes == 4);  // on the page that was given up
  CHECK(tally.totals().most_requests == 2);
  tally.clear();
  CHECK(tally.totals().addresses == 0);
}

}  // namespace
}  // namespace emu::observe
