// SPDX-License-Identifier: MIT
// The sets of the first-level cache, against what an H200 found (tests/model/sets.cu).
#include "counters/caches/level1_set.hpp"

#include <set>
#include <string>
#include <vector>

#include "counters/caches/level1_lines.hpp"
#include "support/catch.hpp"

namespace emu::observe {
namespace {

constexpr std::uint64_t kKiB = 1024;

// Lines of one set, by letter: + found, . not.
std::string walk(const std::string& letters) {
  std::vector<std::uint64_t> same;
  for (std::uint64_t line = 0; same.size() < 26; ++line)
    if (level1_set(line) == 16) same.push_back(line);
  Level1Lines lines(256 * kKiB, 224 * kKiB);
  std::string found;
  for (const char letter : letters) {
    const std::uint64_t line = same[static_cast<std::size_t>(letter - 'a')];
    const std::uint64_t at = lines.find(line);
    const bool there = at != lines.none();
    if (there)
      lines.stay(at);
    else
      lines.put(line);
    found += there ? '+' : '.';
  }
  return found;
}

TEST_CASE("a set of the first-level cache finds what an H200 found") {
  const std::pair<const char*, const char*> recorded[] = {
      {"abcdabcdabcdefghijklmnopqrstuvwxyzabcdwxyz", "....++++++++........................++...."},
      {"abadcbabcabcdeeaebbacbdadceedbcbcbcbbbdecbadddbbabaaabcbdbee",
       "..+..++++++++.+.+.++.+.+++.++.++++++++++++..++++++++++++++.+"},
      {"ddcadefdffbfbebbebebbafccaaafbefadeeebdeaddaccccdbafdacbcfde",
       ".+..+..+++.++++++++++.+.++++++.++..++..+++++.++++.+.+++.+..."},
      {"cdacegdfebaaagaabfdagbabdcfegdcbdeabdeedfdgddgbgdgdggedcdbec",
       "...+.......++.+++..+.++++....+.++..+++++.+.+++.++++++++.+.++"},
      {"dcbcddebddbfaedeheaehbbdchehgbagdgehhdcaedbedcedcbedhhdcgcec",
       "...+++.++++...++.+.++.+..+.+.+.+.+..+...............+++.++.+"},
      {"bdfbfbcdjafcfbadgdhbjaajdbgadfgbadacjcaaaehabajceabcdbajbgag",
       "...+++.+....++.+.+.+..++++..+..+.++..++++..+.+...+.+.++.+.++"},
  };
  for (const auto& [letters, found] : recorded) CHECK(walk(letters) == found);
}

TEST_CASE("lines on end are in different sets") {
  for (const std::uint64_t first : {0u, 512u, 512u * 12345}) {
    std::set<std::uint64_t> sets;
    for (std::uint64_t i = 0; i < 512; ++i) sets.insert(level1_set(first + i));
    CHECK(sets.size() == 512);
  }
  // Members of one set, as they were found on an H200.
  for (const std::uint64_t line : {609, 1035, 1658, 2406, 2839, 3453, 3852, 4441, 7749, 14358})
    CHECK(level1_set(line) == level1_set(16));
}

TEST_CASE("a line that leaves before its data have come keeps its room until they have") {
  constexpr std::uint64_t kRoom = 224 * kKiB / 128 - 64;
  std::vector<std::uint64_t> same;
  for (std::uint64_t line = 0; same.size() < kRoom + 8; ++line)
    if (level1_set(line) == 16) same.push_back(line);
  // Of lines of one set, how many of the last four are there, if all are asked for at once or one after the other.
  const auto left = [&](std::size_t count, bool at_once) {
    Level1Lines lines(256 * kKiB, 224 * kKiB);
    for (std::size_t i = 0; i < count; ++i) {
      lines.put(same[i]);
      if (!at_once) lines.next_round();
    }
    std::size_t there = 0;
    for (std::size_t i = count - 4; i < count; ++i) there += lines.find(same[i]) != lines.none();
    return there;
  };
  CHECK(left(kRoom, true) == 4);
  CHECK(left(kRoom + 8, true) < 4);
  CHECK(left(kRoom + 8, false) == 4);
}

TEST_CASE("a store misses a line for whose other sectors its warp waits, and takes the rest away") {
  Level1Line line{};
  line.bring(0b0001, 7, 1);
  line.sectors = 0b0001;
  CHECK_FALSE(line.stored_between(0b0001, 7, 2));  // it has waited for this one
  line.bring(0b0010, 7, 3);
  line.sectors |= 0b0010;
  CHECK_FALSE(line.stored_between(0b0001, 8, 4));  // another warp
  CHECK_FALSE(line.stored_between(0b0001, 7, 5));  // they have come
  CHECK(line.sectors == 0b0011);
  CHECK(line.stored_between(0b0001, 7, 4));
  CHECK(line.sectors == 0b0010);
  line.bring(0b0100, 7, 6);
  line.bring(0b1000, 7, 6);  // in the same round
  CHECK_FALSE(line.stored_between(0b0100, 7, 7));
}

}  // namespace
}  // namespace emu::observe
