// SPDX-License-Identifier: MIT
// Sets of L2: which line leaves, as an H200 has shown it.
#include "counters/caches/l2_sets.hpp"

#include <memory>
#include <vector>

#include "support/catch.hpp"

namespace emu::observe {
namespace {

// Sets that are asked for lines of the half where those are at home.
class Asked {
 public:
  explicit Asked(std::uint64_t lines) : sets_(lines) {}
  // Whether the line was there.
  bool ask(std::uint64_t line) {
    L2Page& page = page_of(line / L2Page::kLines);
    const auto in_page = static_cast<std::uint32_t>(line % L2Page::kLines);
    const std::uint32_t half = page.home_of(in_page / L2Page::kWordLines);
    std::uint64_t& there = page.words[in_page / L2Page::kWordLines].in_half[half];
    page.time[half][in_page] = ++now_;
    if (there & L2Page::sectors_of(in_page)) return true;
    there |= L2Page::sectors_of(in_page);
    const L2Sets::Line left = sets_.put({&page, in_page, now_}, half);
    if (left.page)
      left.page->words[left.line / L2Page::kWordLines].in_half[half] &=
          ~L2Page::sectors_of(left.line);
    return false;
  }
  // Of so many lines, each so far from the one before, that are asked for again in the same order: the share that has gone.
  double lost(std::uint64_t lines, std::uint64_t apart) {
    std::uint64_t lost = 0;
    for (int round = 0; round < 2; ++round)
      for (std::uint64_t i = 0; i < lines; ++i) lost += !ask(i * apart) && round > 0;
    return static_cast<double>(lost) / static_cast<double>(lines);
  }

 private:
  L2Page& page_of(std::uint64_t number) {
    while (pages_.size() <= number) {
      pages_.push_back(std::make_unique<L2Page>());
      pages_.back()->number = pages_.size() - 1;
      pages_.back()->home = homes_of(pages_.size() - 1);
    }
    return *pages_[number];
  }
  L2Sets sets_;
  std::uint32_t now_ = 0;
  std::vector<std::unique_ptr<L2Page>> pages_;
};

TEST_CASE("a set of L2 holds sixteen lines, and the one used longest ago leaves") {
  Asked one(2 * L2Sets::kWays);  // a set in each half
  std::vector<std::uint64_t> lines;
  const std::uint64_t homes = homes_of(0);
  for (std::uint64_t line = 0; lines.size() < 17; ++line)
    if ((homes >> line / L2Page::kWordLines & 1) == 0) lines.push_back(line);
  for (int round = 0; round < 3; ++round)
    for (std::size_t i = 0; i < 16; ++i) CHECK(one.ask(lines[i]) == (round > 0));
  CHECK(one.ask(lines[0]));
  CHECK_FALSE(one.ask(lines[16]));  // instead of 1
  CHECK(one.ask(lines[0]));
  CHECK_FALSE(one.ask(lines[1]));
  CHECK_FALSE(one.ask(lines[2]));
  for (int round = 0; round < 3; ++round)  // more than fits, in turn: nothing is found
    for (const std::uint64_t line : lines) {
      const bool found = one.ask(line);
      if (round > 0) CHECK_FALSE(found);
    }
}

// What one thread of an H200 lost that read lines again: of those that are at home in one half, here in both of a cache that is
// as large as they are together.
TEST_CASE("lines on end fill sets evenly, every third or fifth as chance has it") {
  constexpr std::uint64_t kLines = 480'000;
  CHECK(Asked(kLines).lost(2 * 188'000, 1) < 0.03);
  CHECK(Asked(kLines).lost(2 * 236'000, 1) == Approx(0.40).margin(0.12));
  CHECK(Asked(kLines).lost(2 * 272'000, 1) > 0.8);
  CHECK(Asked(kLines).lost(2 * 164'000, 3) == Approx(0.045).margin(0.02));
  CHECK(Asked(kLines).lost(2 * 212'000, 3) == Approx(0.31).margin(0.03));
  CHECK(Asked(kLines).lost(2 * 260'000, 3) == Approx(0.675).margin(0.03));
}

TEST_CASE("of the dirty lines in a set that one is the oldest which was used longest ago") {
  L2Sets sets(2 * L2Sets::kWays);
  L2Page page;
  for (std::uint32_t line = 0; line < 4; ++line) {
    page.time[0][line] = 10 - line;
    sets.put({&page, line, page.time[0][line]}, 0);
  }
  CHECK(sets.oldest_dirty({&page, 0, 0}, 0).page == nullptr);
  page.words[0].dirty = L2Page::sectors_of(1) | L2Page::sectors_of(2);
  CHECK(sets.oldest_dirty({&page, 0, 0}, 0).line == 2);
  page.time[0][2] = 20;
  CHECK(sets.oldest_dirty({&page, 0, 0}, 0).line == 1);
  for (std::uint32_t i = 0; i < L2Sets::kMostDirty; ++i) CHECK_FALSE(sets.soil({&page, 0, 0}, 0));
  CHECK(sets.soil({&page, 0, 0}, 0));
  sets.empty();
  CHECK(sets.oldest_dirty({&page, 0, 0}, 0).page == nullptr);
}

}  // namespace
}  // namespace emu::observe
