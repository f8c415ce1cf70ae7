// SPDX-License-Identifier: MIT
// What is counted as looked up in L2.
#include "counters/level2.hpp"

#include "support/catch.hpp"

namespace emu::observe {
namespace {

L2Traffic stream(double sectors) {
  L2Traffic t;
  t.loads = t.together = t.missed = sectors;
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

TEST_CASE("sectors that come alone of their lines bring others with them, up to a number") {
  L2Traffic t = stream(2e4);
  const double together = l2_lookups(t).all;
  t.alone = 2e4;
  CHECK(l2_lookups(t).all > 1.1 * together);
  CHECK(l2_lookups(t).missed == 3e4);
  t = stream(4e6);
  const double many = l2_lookups(t).all;
  t.alone = 4e6;
  CHECK(l2_lookups(t).all == many);
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

TEST_CASE("what many read at once is asked for fewer times") {
  L2Traffic t = stream(1e4);
  t.loads = t.together = 1e6;
  CHECK(l2_lookups(t).asked < 0.5e6);
  t.together = 0;  // words from all over: no two ask for the same at once
  CHECK(l2_lookups(t).asked == 1e6);
}

TEST_CASE("blocks of a second round read what another half of the cache has kept") {
  L2Traffic t;
  t.loads = t.was_there = 1e6;
  CHECK(l2_lookups(t).missed == 0);
  t.one_wave = false;
  CHECK(l2_lookups(t).missed == 0.25e6);
}

TEST_CASE("of sectors that were filled up the last ones have not left when the launch ends") {
  L2Traffic t;
  t.stores = t.filled = t.written_back = 2e6;
  const L2Lookups l2 = l2_lookups(t);
  CHECK(l2.filled == t.filled);
  CHECK(l2.waiting > 0);
  CHECK(l2.written + l2.waiting == t.written_back);
  CHECK(l2.missed == t.filled);
  t.filled = t.written_back = 0;
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

}  // namespace
}  // namespace emu::observe
