// SPDX-License-Identifier: MIT
// Plays the requests that were written down.
#include <algorithm>
#include <bit>

#include "counters/caches/level1.hpp"
#include "counters/caches/level1_cache.hpp"

namespace emu::observe {
namespace {

constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15u;
// Hundredths of a cycle until what was asked for has come, where L1 has much to do. Warps that do not come to their turn by then
// wait: those who were there first go on before them. So where each thread walks through lines of its own, a few warps do so at a
// time, and find theirs again (tests/timing_set: `updates_chunks`, `copies_add_chunks`, `histos_runs`).
constexpr std::uint64_t kRound = 200'000;

}  // namespace

std::uint32_t Level1::apart(std::uint32_t from, std::uint32_t to) const {
  return place_of(to).number - place_of(from).number;
}

// Whether the store at touch k comes right before one of a later instruction of the warp, with nothing asked for in between.
// What was stored longer ago has gone.
bool Level1::right_before(const std::vector<Touch>& touches, std::size_t k,
                          std::uint32_t instruction) const {
  constexpr std::uint32_t kSoon = 6;  // instructions
  return touches[k].how == How::Store && apart(touches[k].instruction, instruction) <= kSoon;
}

// Of the store that begins at this touch, the sectors to which others have stored that came right before it: an element of a
// structure beside the one before.
void Level1::stored_again(const std::vector<Touch>& touches, std::size_t first, std::size_t end,
                          Found& found) const {
  constexpr std::size_t kFar = 16;  // touches
  const std::uint32_t guard = place_of(touches[first].instruction).guard;
  for (std::size_t i = first; i < end; ++i) {
    std::uint8_t before = 0, same = 0;  // same: with the same predicate
    std::uint32_t next = touches[first].instruction;
    for (std::size_t k = first; k-- > 0 && first - k <= kFar && right_before(touches, k, next) &&
                                touches[k].instruction < touches[first].instruction;
         next = touches[k].instruction)
      if (touches[k].line == touches[i].line) {
        before |= touches[k].sectors();
        if (place_of(touches[k].instruction).guard == guard) same |= touches[k].sectors();
      }
    const std::uint8_t sectors = touches[i].sectors();
    found.again +=
        static_cast<std::uint32_t>(std::popcount(static_cast<std::uint8_t>(before & sectors)));
    found.guarded += static_cast<std::uint32_t>(
        std::popcount(static_cast<std::uint8_t>(before & ~same & sectors)));
  }
}

// Of the lines of the store that begins at this touch. What finds which line was seen with ncu: tests/timing_set, `fields`, and
// tests/model/stores.cu, with all distances between lanes.
Level1::Missed Level1::missed(const std::vector<Touch>& touches, std::size_t first,
                              std::size_t end) const {
  constexpr std::size_t kMany = 7, kEight = 8, kMost = 9, kFree = 20, kNearlyAll = 29;  // lines
  constexpr std::size_t kAlone = 2, kFew = 16, kManyWarps = 24;                         // warps
  constexpr std::uint32_t kSoon = 5;  // instructions
  constexpr double kNearlyOneInFive = 2.0 / 11, kOneInEight = 1.0 / 8;
  constexpr double kOneInFour = 1.0 / 4, kOneInSeven = 1.0 / 7, kOneInTen = 1.0 / 10;
  const std::size_t lines = end - first;
  Missed missed;
  missed.stored_by_others = lines == 1 ? 1.0 / 24 : at_the_same_time_;
  std::size_t last = first;  // behind the last touch of global memory
  while (last > 0 && Level1Local::is(touches[last - 1].line)) --last;
  if (last == 0 || touches[last - 1].how != How::Store) return missed;
  const Touch &store = touches[first], &before = touches[last - 1];
  const bool read_first = touches[0].how == How::Load;
  const bool hard_to_find = read_first && lines >= kMany && (crowded_ || lines > kEight);
  // A line a lane: with few warps, not all of them are known when the next store asks.
  if (lines >= kNearlyAll && apart(before.instruction, store.instruction) <= kSoon) {
    if (warps_ <= kAlone) return {1, missed.stored_by_others, 0};
    if (warps_ < kFew) return {0.5, missed.stored_by_others, 0};
    return missed;
  }
  if (apart(before.instruction, store.instruction) > kSoon) {
    if (hard_to_find && store.instruction > before.instruction) missed.read = kOneInEight;
    return missed;
  }
  if (lines >= kFree) return missed;
  if (hard_to_find) missed.read = kNearlyOneInFive;
  if (lines >= kMost && read_first) missed.stored = kNearlyOneInFive;
  // A warp's own stores, one behind the other; of those that fill eight lines some where many warps do so at once, or nothing was
  // read first.
  if (store.instruction > before.instruction) {
    if (lines == 1 || lines == 4) missed.stored = kOneInEight;
    if (lines == kEight)
      missed.stored = in_waves_              ? kOneInSeven
                      : !read_first          ? kOneInFour
                      : warps_ >= kManyWarps ? kOneInTen
                                             : 0;
  }
  return missed;
}

// The request that begins at touch i, which becomes the next one's. Returns whether the warp can go on with what it asked for.
bool Level1::request(const std::vector<Touch>& touches, std::size_t& i, std::uint16_t by,
                     Cache& cache, std::vector<Found>& found) const {
  Found& f = found[touches[i].instruction];
  std::uint32_t sectors = 0, hits = 0;
  constexpr std::size_t kFewLines = 4;
  const std::size_t first = i;
  std::size_t end = i + 1;
  while (end < touches.size() && !touches[end].begins) ++end;
  const bool stores = touches[i].how == How::Store;
  if (stores) stored_again(touches, i, end, f);
  const Missed missed = stores ? this->missed(touches, i, end) : Missed{};
  for (; i < end; ++i) {
    sectors += static_cast<std::uint32_t>(std::popcount(touches[i].sectors()));
    hits += static_cast<std::uint32_t>(std::popcount(cache.touch(touches[i], by, missed)));
  }
  const bool late = cache.late();
  f.in_place += cache.in_place();
  const std::uint32_t beside = cache.beside();
  if (sectors > 1 && end - first <= kFewLines) f.beside += beside;
  ++f.requests;
  f.whole += sectors == hits;
  f.sectors += sectors;
  f.hits += hits;
  f.late += late && sectors == hits;
  return hits == sectors && !late;
}

// A warp's turn: it ends where the warp waits for what it has asked for.
void Level1::take_turn(Runner& runner, Cache& cache, std::vector<Found>& found) const {
  cache.next_turn();
  bool waits = false;
  for (std::size_t turn = 0; turn < kTurn && !runner.done(); ++turn) {
    const Touch& touch = (*runner.touches)[runner.at];
    if (waits && touch.waits && (touch.how != How::Atomic || runner.at_first)) return;
    const How how = touch.how;
    const bool goes_on = request(*runner.touches, runner.at, runner.by, cache, found);
    waits |= !goes_on && how == How::Load;
    if (how == How::Acquire) return;  // nothing goes on before it
  }
}

// Warps have their turns in nearly the same order each time. How nearly was seen on an H200 with threads that read a line of
// their own again and again (tests/model/again.cu): of what 48 warps read twice they find two in three, and three in four later on.
void Level1::next_round(std::vector<Runner>& runners, std::uint64_t& drawn) {
  constexpr double kStays = 0.75;
  std::erase_if(runners, [](const Runner& runner) { return runner.done(); });
  for (Runner& runner : runners) {
    const double draw = static_cast<double>(++drawn * kGoldenRatio >> 40) * 0x1p-24;
    runner.order = runner.order < 0 ? draw : kStays * runner.order + (1 - kStays) * draw;
  }
  std::stable_sort(runners.begin(), runners.end(),
                   [](const Runner& a, const Runner& b) { return a.order < b.order; });
}

std::uint64_t Level1::play_one(std::size_t at, bool local, Cache& cache,
                               std::vector<Found>& found) {
  // Where arrays lie is different each time a program runs, and with it which lines share a set: each multiprocessor is played
  // as if in another run.
  constexpr int kRuns = 10, kPageLines = 14;  // bits
  const std::uint64_t shift = (at + 1) * kGoldenRatio >> (64 - kRuns) << kPageLines;
  Traces& blocks = traces_[at];
  cache.restart(shift);
  if (local) cache.begin_with(local_.left_on(at));
  std::vector<Runner> runners;
  std::vector<std::size_t>
      running;  // of each block that has begun, warps that have something to do
  // Whether the next one has something to do.
  const auto begin = [&](bool at_first) {
    const std::size_t block = running.size();
    running.push_back(0);
    for (std::size_t w = 0; w < blocks[block]->warps.size(); ++w) {
      OfWarp& warp = blocks[block]->warps[w];
      if (warp.touches.empty()) continue;
      put_in_order(warp);
      ++running.back();
      const double order = at_first ? static_cast<double>(runners.size()) : -1;
      runners.push_back(
          {&warp.touches, 0, block, static_cast<std::uint16_t>(block << 5 | w), order, at_first});
    }
    return running.back() > 0;
  };
  // A block that asks for nothing has ended at once: the next one has its place.
  const auto take_place = [&](bool at_first) {
    while (running.size() < blocks.size() && !begin(at_first)) {
    }
  };
  for (std::size_t place = 0; place < together_; ++place) take_place(true);
  for (Runner& runner : runners) runner.order /= static_cast<double>(runners.size());
  std::uint64_t drawn = shift;  // from elsewhere on each of them
  for (; !runners.empty(); cache.next_round()) {
    const std::uint64_t end = cache.busy() + kRound;
    for (std::size_t i = 0; i < runners.size() && cache.busy() < end; ++i) {
      take_turn(runners[i], cache, found);
      if (!runners[i].done() || --running[runners[i].block] > 0) continue;
      take_place(false);  // at once, behind the others
    }
    next_round(runners, drawn);
  }
  if (local) local_.left_on(at) = cache.local_lines();
  return cache.slices();
}

std::vector<Level1::Found> Level1::play(std::size_t instructions) {
  std::vector<Found> found(instructions);
  std::uint64_t slices = 0, played = 0;
  const bool local = local_.played_with(bytes_);
  Cache cache(all_bytes_, bytes_);  // of one after the other
  for (std::size_t i = 0; i < traces_.size(); ++i) {
    if (traces_[i].empty()) continue;
    slices += play_one(i, local, cache, found);
    ++played;
  }
  slices_ = played ? static_cast<double>(slices) / static_cast<double>(played) : 0;
  return found;
}

}  // namespace emu::observe
