// SPDX-License-Identifier: MIT
// Atomics on each address, sector and slice, against plain maps.
#include "counters/address_tally.hpp"

#include <map>
#include <random>
#include <tuple>

#include "support/catch.hpp"

namespace emu::observe {
namespace {

MemoryAccess access_of(const std::array<std::uint64_t, 32>& addresses, LaneMask mask) {
  return {AccessKind::Atomic, MemorySpace::Global, 4, mask, addresses.data()};
}

TEST_CASE("a tally knows the address with most atomics, per lane and per request") {
  std::mt19937_64 random(11);
  AddressTally tally;
  std::map<std::uint64_t, std::uint64_t> lanes, requests;
  for (int round = 0; round < 500; ++round) {
    std::array<std::uint64_t, 32> addresses;
    for (auto& a : addresses) a = random() % (round % 4 == 0 ? 1 : round % 4 == 1 ? 40 : 3000) * 4;
    const LaneMask mask = round % 3 ? 0xffffffffu : static_cast<LaneMask>(random() | 1);
    const auto access = access_of(addresses, mask);
    std::map<std::uint64_t, std::uint32_t> here;
    for (std::size_t lane = 0; lane < addresses.size(); ++lane)
      if (mask >> lane & 1) ++here[addresses[lane]];
    std::uint32_t most = 0;
    for (const auto& [address, n] : here) {
      lanes[address] += n;
      ++requests[address];
      most = std::max(most, n);
    }
    const auto added = tally.add(access);
    REQUIRE(added.most == most);
    REQUIRE(added.addresses == here.size());
    Sectors near, all;
    const GlobalCost cost = global_cost(access, all);
    if (added.near) {
      const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
      const GlobalCost same = near_cost(addresses[0], added.near, lanes, 4, added.addresses, near);
      REQUIRE(std::tie(same.sectors, same.lines, same.ideal, same.places) ==
              std::tie(cost.sectors, cost.lines, cost.ideal, cost.places));
    }
    REQUIRE(added.sectors == atomic_sectors(access));
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

TEST_CASE(
    "lanes on different words of one sector pass together, chunks go to slices of their own") {
  std::array<std::uint64_t, 32> addresses;
  for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = lane % 8 * 4;
  AddressTally tally;
  tally.add(access_of(addresses, 0xffffffffu));
  CHECK(tally.totals().sector_passes == 4);
  CHECK(tally.totals().slice_passes == 4);
  for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = lane % 8 * 32;
  tally.clear();
  tally.add(access_of(addresses, 0xffffffffu));
  CHECK(tally.totals().sector_passes == 4);
  CHECK(tally.totals().slice_passes == 32);  // eight sectors of one piece
}

// A histogram of 192 words takes an H200 634 us if it begins with a KiB, and 309 us if it begins in the middle of one.
TEST_CASE("pieces of 256 bytes take turns between two slices for a KiB") {
  const auto passes = [](std::uint64_t from, std::uint64_t words, std::uint64_t apart) {
    AddressTally tally;
    std::array<std::uint64_t, 32> addresses{};
    for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = from + lane % words * apart;
    tally.add(access_of(addresses, 0xffffffffu));
    return tally.totals().slice_passes;
  };
  for (const std::uint64_t from : {0, 1024, 5120}) {
    CHECK(passes(from, 2, 256) == 16);
    CHECK(passes(from, 2, 512) == 32);
    CHECK(passes(from, 4, 256) == 16);
    CHECK(passes(from, 32, 32) == 16);
  }
  // From the middle of one to the middle of the next: two others. The second one lies in two pages of the tally.
  for (const std::uint64_t from : {512, 1536}) {
    CHECK(passes(from, 2, 256) == 16);
    CHECK(passes(from, 2, 512) == 16);
    CHECK(passes(from, 4, 256) == 8);
    CHECK(passes(from, 32, 32) == 8);
  }
  CHECK(passes(0, 4, 1024) == 8);
  CHECK(passes(0, 8, 1024) == 4);
}

TEST_CASE("many lanes of a warp on one word are a burst") {
  const auto again = [](std::uint64_t lanes_each, std::uint64_t apart, bool aggregated = false) {
    std::array<std::uint64_t, 32> addresses{};
    for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = lane / lanes_each * apart;
    AddressTally tally;
    tally.add(access_of(addresses, 0xffffffffu), aggregated);
    return tally.totals().again;
  };
  CHECK(again(32, 4) == 31);
  CHECK(again(32, 4, true) == 0);  // the compiler makes one of them
  CHECK(again(16, 4) == 15);       // both words of a sector pass together
  CHECK(again(16, 32) == 30);
  CHECK(again(4, 32) == 0);  // few
  CHECK(again(16, 1 << 20) == 15);
}

TEST_CASE("words of one sector pass together, wherever the other lanes of the request go") {
  AddressTally tally;
  const auto add = [&](std::uint64_t lanes_each, std::uint64_t apart) {
    std::array<std::uint64_t, 32> addresses{};
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      addresses[lane] = lane % lanes_each * 4 + lane / lanes_each * apart;
    tally.add(access_of(addresses, 0xffffffffu));
    return tally.totals();
  };
  const std::uint64_t kFar = 1 << 20;
  CHECK(add(8, kFar).sector_passes == 1);  // four columns of eight words
  CHECK(add(8, kFar).sector_passes == 2);  // the next request passes again
  CHECK(tally.totals().addresses == 32);
  tally.clear();
  CHECK(add(16, kFar).sector_passes == 1);  // each in two sectors side by side
}

TEST_CASE("what the compiler makes one atomic of passes once") {
  std::array<std::uint64_t, 32> addresses{};
  AddressTally tally;
  tally.add(access_of(addresses, 0xffffffffu), true);
  CHECK(tally.totals().sector_passes == 1);
  CHECK(tally.totals().most_lanes == 32);
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
