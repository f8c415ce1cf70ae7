// SPDX-License-Identifier: MIT
// Which lines are found again, beside what an H200 finds (tests/model/walk.cu).
#include "counters/caches/level1_lines.hpp"

#include "support/catch.hpp"

namespace emu::observe {
namespace {

std::uint64_t drawn(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x5851f42d4c957f2du;
  x = (x ^ x >> 31) * 0x94d049bb133111ebu;
  return (x ^ x >> 29) % (1 << 20);
}
std::uint64_t on_end(std::uint64_t i) { return 4096 + i; }

// The share of so many lines that is found when one walks round them a second time.
template <class Line>
double found(Level1Lines& cache, std::uint64_t lines, const Line& line) {
  std::uint64_t hits = 0;
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t i = 0; i < lines; ++i) {
      cache.next();
      const bool there = cache.find(line(i)) != Level1Lines::kNone;
      if (!there) cache.put(line(i));
      hits += round && there;
    }
  return static_cast<double>(hits) / static_cast<double>(lines);
}
template <class Line>
double found(std::uint64_t kib, std::uint64_t lines, const Line& line) {
  Level1Lines cache(kib * 1024);
  return found(cache, lines, line);
}

TEST_CASE("lines on end are all found as long as there is room for them") {
  CHECK(found(224, 1728, on_end) == 1);
  CHECK(found(224, 1856, on_end) < 0.8);  // 72 % on an H200
  CHECK(found(92, 672, on_end) == 1);
  CHECK(found(92, 992, on_end) < 0.5);
  CHECK(found(28, 160, on_end) == 1);
}

TEST_CASE("of lines that are drawn, those are lost which share a set with four others") {
  // What an H200 finds, with 224 KiB and with 192.
  CHECK(found(224, 512, drawn) == Approx(0.98).margin(0.02));
  CHECK(found(224, 1024, drawn) == Approx(0.85).margin(0.03));
  CHECK(found(224, 1536, drawn) == Approx(0.64).margin(0.05));
  CHECK(found(224, 2048, drawn) == Approx(0.42).margin(0.03));
  CHECK(found(192, 1024, drawn) == Approx(0.85).margin(0.03));
}

TEST_CASE(
    "what was there before hardly pushes out what comes, where there is much room, and does where "
    "there is little") {
  const auto behind_others = [](std::uint64_t kib, std::uint64_t lines) {
    Level1Lines cache(kib * 1024);
    found(cache, 4096, [](std::uint64_t i) { return drawn(i + 100000); });
    return found(cache, lines, drawn);
  };
  CHECK(behind_others(224, 1024) == Approx(0.83).margin(0.03));
  CHECK(behind_others(92, 496) < 0.9);  // 73 % there
}

TEST_CASE("lines can be dropped, one or all") {
  Level1Lines cache(224 * 1024);
  cache.next();
  const std::uint64_t place = cache.put(7);
  cache.next();
  cache.put(8);
  CHECK(cache.find(7) == place);
  cache.drop(place);
  CHECK(cache.find(7) == Level1Lines::kNone);
  CHECK(cache.find(8) != Level1Lines::kNone);
  cache.drop_all();
  CHECK(cache.find(8) == Level1Lines::kNone);
  cache.next();
  cache.put(8);
  CHECK(cache.find(8) != Level1Lines::kNone);
}

}  // namespace
}  // namespace emu::observe
