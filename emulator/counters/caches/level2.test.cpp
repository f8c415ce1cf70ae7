// SPDX-License-Identifier: MIT
// What is counted as looked up in L2.
#include "counters/caches/level2.hpp"

#include <bit>
#include <initializer_list>

#include "counters/caches/footprint.hpp"
#include "counters/caches/l2_page.hpp"
#include "support/catch.hpp"

namespace emu::observe {
namespace {

L2Traffic stream(double sectors) {
  L2Traffic t;
  t.loads = t.missed = sectors;
  t.asked_again = sectors / 2;
  t.multiprocessors = 132;
  return t;
}

double rate(const L2Lookups& l2) { return 1 - l2.missed / l2.all; }

TEST_CASE("what is read once misses in both halves, and is found nowhere") {
  const L2Lookups l2 = l2_lookups(stream(4e6));
  CHECK(l2.missed == 6e6);
  CHECK(l2.asked == 4e6);
  CHECK(rate(l2) < 0.01);
}

TEST_CASE("of a small launch most of what is found is other units'") {
  CHECK(rate(l2_lookups(stream(2000))) > 0.3);
  CHECK(rate(l2_lookups(L2Traffic{})) == 1);
}

TEST_CASE("a multiprocessor has a word with each slice that it has asked, when the launch ends") {
  L2Traffic t = stream(2e4);
  t.multiprocessors = 132;
  const double before = l2_lookups(t).all;
  t.slices = 96;
  CHECK(l2_lookups(t).all == before + 2 * 96 * 132);
  CHECK(l2_lookups(t).missed == 3e4);
}

TEST_CASE("and at a fence with those that it has asked since the one before") {
  L2Traffic t = stream(2e4);
  t.multiprocessors = 132;
  t.slices = 50;
  const double none = l2_lookups(t).all;
  t.fences = 1;
  const double one = l2_lookups(t).all;
  CHECK(one - none > 2 * 45 * 132);
  CHECK(one - none < 2 * 55 * 132);
  t.fences = 1000;  // there is less to ask between two of them
  CHECK(l2_lookups(t).all - none > one - none);
  CHECK(l2_lookups(t).all - none < 3 * (one - none));
}

TEST_CASE("stores are found, in both halves too") {
  L2Traffic t = stream(1e6);
  t.stores = 1e6;
  const L2Lookups l2 = l2_lookups(t);
  CHECK(l2.missed == 1.5e6);
  CHECK(l2.all > 3e6);
  CHECK(rate(l2) > 0.49);
  CHECK(rate(l2) < 0.53);
}

TEST_CASE("of sectors that are on their way most are missed, and none is looked up once more") {
  L2Traffic t = stream(1e6);
  const L2Lookups before = l2_lookups(t);
  t.on_their_way = 4e5;
  CHECK(l2_lookups(t).missed > before.missed + 2e5);
  CHECK(l2_lookups(t).missed < before.missed + 4e5);
  CHECK(l2_lookups(t).all == before.all);
}

TEST_CASE("the other sector of a pair is looked up in the other half too, and found") {
  L2Traffic t = stream(1e6);
  const L2Lookups before = l2_lookups(t);
  t.came_along = 2e5;
  CHECK(l2_lookups(t).all == before.all + 2e5);
  CHECK(l2_lookups(t).missed == before.missed);
  CHECK(l2_lookups(t).asked == before.asked);
}

TEST_CASE("what others have just asked for is not asked for again") {
  L2Traffic t = stream(1e4);
  t.loads = 1e6;
  CHECK(l2_lookups(t).asked == 1e6);
  t.with_others = 0.75e6;
  CHECK(l2_lookups(t).asked == 0.25e6);
  // Nearly all that could be, if each multiprocessor has one block.
  CHECK(asked_with_others(4, {1, true}) == Approx(0.75).margin(0.02));
  CHECK(asked_with_others(4, {8, true}) < asked_with_others(4, {1, true}));
  CHECK(asked_with_others(4, {8, false}) < asked_with_others(4, {8, true}));
  CHECK(asked_with_others(1, {1, true}) == 0);
  // Words that do not lie together come at another time to each, unless they come from DRAM; a word of 16 bytes even then.
  using Words = InStep::Words;
  for (const Words words : {Words::One, Words::Scattered}) {
    CHECK(asked_with_others(4, {1, true, 0, words}) < 0.25);
    CHECK(asked_with_others(4, {1, true, 1, words}) > 0.5);
    CHECK(asked_with_others(4, {8, false, 1, words}) < asked_with_others(4, {1, true, 1, words}));
  }
  CHECK(asked_with_others(4, {1, true, 1, Words::One}) == Approx(0.74).margin(0.02));
  CHECK(asked_with_others(4, {1, true, 1, Words::One, 16}) < 0.4);
}

TEST_CASE("where there are more blocks than find room, each launch has them elsewhere") {
  // Of so many blocks: in the first half; in the same one as the next block; and in another one when launched again.
  constexpr int kBlocks = 132 * 40;
  for (const int begin : {0, kBlocks}) {
    int first = 0, alike = 0, moved = 0;
    for (std::uint64_t block = 0; block < kBlocks; ++block) {
      const std::uint32_t half = half_in_waves(block, begin, 1, 132);
      first += half == 0;
      alike += half == half_in_waves(block + 1, begin, 1, 132);
      moved += half != half_in_waves(block, begin, 2, 132);
    }
    CHECK(first == Approx(kBlocks / 2).margin(kBlocks / 20));
    CHECK(moved == Approx(kBlocks / 2).margin(kBlocks / 8));
    if (begin)
      CHECK(alike > kBlocks * 95 / 100);
    else
      CHECK(alike == Approx(kBlocks / 2).margin(kBlocks / 20));
  }
  CHECK(half_in_waves(77, 50, 3, 132) == half_in_waves(77, 50, 3, 132));
}

TEST_CASE("and then a quarter of what one of them has read is looked for in the other half") {
  constexpr std::uint64_t kBlocks = 132 * 30, kSectorsEach = 32;
  Footprint footprint;
  const auto launch = [&](std::uint64_t number, std::uint64_t apart) {
    footprint.begin_launch(1056);
    for (std::uint64_t block = 0; block < kBlocks; ++block) {
      footprint.set_near({half_in_waves(block, 1056, number, 132), 0}, true);
      for (std::uint64_t other = 0; other <= apart; other += 997)
        footprint.add_run((block + other) % kBlocks * kSectorsEach, kSectorsEach, Footprint::Read);
    }
    return static_cast<double>(footprint.asked_again()) / (kBlocks * kSectorsEach);
  };
  CHECK(launch(1, 0) == Approx(0.5).margin(0.05));
  CHECK(launch(2, 0) == Approx(0.25).margin(0.07));
  footprint.flush();
  launch(1, 5000);  // what several blocks read is in both halves soon
  CHECK(launch(2, 5000) < 0.08);
}

TEST_CASE("what a copy to the host reads is in no other half than before") {
  Footprint footprint;
  footprint.begin_launch();
  footprint.set_near({0, 0}, true);
  footprint.touch(0, 1 << 20, Footprint::Write);
  footprint.touch(0, 1 << 20, Footprint::Read);
  footprint.add_range(0, (1 << 20) / kSectorBytes, Footprint::Read);
  CHECK(footprint.asked_again() == (1 << 20) / kSectorBytes / 2);
}

TEST_CASE(
    "a block that asks for both sectors of a pair comes before one that asks for half of it "
    "further on") {
  const auto missed = [](std::uint32_t of_the_first, std::uint64_t side_by_side,
                         std::uint32_t count) {
    Footprint footprint;
    footprint.begin_launch(side_by_side);
    footprint.set_near({0, 0}, true);
    footprint.set_warp(0, of_the_first);
    footprint.add_run(0, 1, Footprint::Read);
    footprint.set_near({0, 0}, true);
    footprint.set_warp(0, 10);
    footprint.add_run(2 - count, count, Footprint::Read);
    return footprint.missed();
  };
  CHECK(missed(20, 100, 2) == 2);
  CHECK(missed(20, 1, 2) == 1);    // it begins when the other one has ended
  CHECK(missed(10, 100, 2) == 1);  // who of them comes first is open: the first one here
  CHECK(missed(20, 100, 1) == 1);
}

TEST_CASE("of sectors that were filled up the last ones have not left when the launch ends") {
  L2Traffic t;
  t.stores = t.filled = t.written_back = 2e6;
  const L2Lookups l2 = l2_lookups(t);
  CHECK(l2.filled == t.filled);
  CHECK(l2.waiting > 0);
  CHECK(l2.written + l2.waiting == t.written_back);
  CHECK(l2.missed == t.filled);
  t.filled_early = t.filled;
  CHECK(l2_lookups(t).waiting == 0);
  CHECK(l2_lookups(t).written == t.written_back);
  t.filled = t.filled_early = t.written_back = 0;
  CHECK(l2_lookups(t).written == 0);
}

TEST_CASE("what a launch left waiting leaves in the next one, and others are filled in its place") {
  L2Traffic t;
  t.stores = t.filled = t.written_back = 2e6;
  L2Traffic again;
  again.stores = 2e6;
  again.waiting = l2_lookups(t).waiting;
  const L2Lookups l2 = l2_lookups(again);
  CHECK(l2.filled == again.waiting);
  CHECK(l2.written == again.waiting);
  CHECK(l2.missed == l2.filled);
  again.stores = 0;  // a launch that only reads
  CHECK(l2_lookups(again).filled == 0);
  CHECK(l2_lookups(again).written == again.waiting);
}

TEST_CASE("half of the multiprocessors are near to either half of L2") {
  for (const std::uint64_t all : {132u, 108u, 128u, 40u}) {
    std::uint64_t second = 0;
    for (std::uint64_t nth = 0; nth < all; ++nth) second += near_of(nth, all, all).half;
    CHECK(second * 2 >= all - 4);
    CHECK(second * 2 <= all + 4);
  }
}

TEST_CASE("blocks that follow each other are near to the same half, as a rule") {
  int same = 0;
  for (std::uint64_t nth = 0; nth + 1 < 132; ++nth)
    same += near_of(nth, 132, 132).half == near_of(nth + 1, 132, 132).half;
  CHECK(same == 131 - 3);
}

TEST_CASE(
    "eight blocks run in one cluster of multiprocessors, of more each cluster has its share") {
  for (const std::uint64_t blocks : {1u, 2u, 8u})
    CHECK(near_of(blocks - 1, blocks, 132).cluster == 0);
  for (std::uint64_t nth = 8; nth < 16; ++nth) CHECK(near_of(nth, 16, 132).cluster == nth - 8);
  for (std::uint64_t nth = 8; nth < 24; ++nth)
    CHECK(near_of(nth, 24, 132).cluster == (nth - 8) / 2);
  CHECK(near_of(131, 132, 132).cluster == 7);
  CHECK(near_of(39, 40, 40).cluster == 7);  // of a smaller GPU
  CHECK(near_of(1, 2, 2).cluster < 8);
}

TEST_CASE(
    "multiprocessors of a cluster that ask for the same at once ask L2 as one, four at most") {
  // So many blocks, and how many of them L2 hears of; `sectors` of the line are asked for by each.
  const auto asked = [](std::uint32_t blocks, std::uint32_t clusters, bool alike) {
    Footprint footprint;
    footprint.begin_launch(132);
    L2Asked all;
    for (std::uint32_t block = 0; block < blocks; ++block) {
      footprint.set_near({0, block % clusters}, true);
      for (int again = 0; again < 2; ++again) {  // the second time L1 has it
        footprint.add_run(0, alike || block % 2 ? 4 : 2, Footprint::Read);
        footprint.askers().take(all);
      }
    }
    return all;
  };
  CHECK(asked(4, 1, true).by_blocks == 4);
  CHECK(asked(4, 1, true).of_l2 == 1);
  CHECK(asked(5, 1, true).of_l2 == 2);
  CHECK(asked(16, 1, true).of_l2 == 4);
  CHECK(asked(16, 8, true).of_l2 == 8);
  CHECK(asked(4, 1, false).of_l2 == 4);  // a line's half is not the line
}

TEST_CASE("a warp that comes to a line as soon as others is in step with them") {
  // Each of some blocks reads the line after so many others.
  const auto in_step = [](std::initializer_list<int> before) {
    Footprint footprint;
    footprint.begin_launch(132);
    L2Asked all;
    std::uint32_t block = 0;
    for (const int requests : before) {
      footprint.set_near({0, block++ % 8}, true);
      for (int i = 0; i <= requests; ++i) footprint.set_warp(1);
      footprint.add_run(0, 4, Footprint::Read);
      footprint.askers().take(all);
    }
    CHECK(all.by_blocks == before.size());
    return all.in_step;
  };
  CHECK(in_step({100, 100, 104, 99}) == 4);
  CHECK(in_step({5, 100, 200, 50}) == 1);
  CHECK(in_step({300, 200, 100, 5}) == 4);  // whoever comes later cannot be known of
}

TEST_CASE("what is at home in a half changes every 4 KiB, and each is home to half of it") {
  for (std::uint64_t page = 0; page < 100; ++page) {
    const std::uint64_t homes = homes_of(page);  // a bit for 2 KiB
    CHECK((homes & 0x5555'5555'5555'5555u) == (homes >> 1 & 0x5555'5555'5555'5555u));
    CHECK(std::popcount(homes) == 32);
  }
  CHECK((homes_of(0) & 0xff) == (0b00111100 ^ (homes_of(0) & 1 ? 0xff : 0)));
}

Sectors run_of(std::uint64_t first, std::uint32_t count) {
  Sectors sectors;
  sectors.form = Sectors::Form::Run;
  sectors.first = first;
  sectors.count = count;
  return sectors;
}

TEST_CASE(
    "what came with a sector is on its way for a warp that slides along, not for one that goes "
    "on") {
  Footprint footprint;
  footprint.begin_launch(8);
  footprint.set_near({0, 0}, true);
  footprint.set_warp(0, 10);
  CHECK(footprint.add(run_of(0, 3), Footprint::Read) == 3);
  CHECK(footprint.add(run_of(8, 1), Footprint::Read) == 1);
  footprint.set_warp(0, 11);
  CHECK(footprint.add(run_of(8, 2), Footprint::Read) == 0);  // it waits for both at the same time
  CHECK(footprint.on_their_way() == 1);
  CHECK(footprint.add(run_of(1, 3), Footprint::Read) == 0);  // came with three of its line
  CHECK(footprint.on_their_way() == 1);
  CHECK(footprint.add(run_of(16, 1), Footprint::Read) == 1);
  footprint.set_warp(0, 10);  // round again
  CHECK(footprint.add(run_of(17, 1), Footprint::Read) == 0);
  CHECK(footprint.on_their_way() == 1);
}

}  // namespace
}  // namespace emu::observe
