// SPDX-License-Identifier: MIT
// Writes requests down, and plays them.
#include "counters/caches/level1.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <utility>

#include "counters/instruction_kinds.hpp"
#include "machine/kernel.hpp"
#include "ptx/module.hpp"

namespace emu::observe {
namespace {

constexpr std::uint64_t kKiB = 1024;
// A multiprocessor has one memory for both uses, and what shared memory may take of it comes in steps.
constexpr std::uint64_t kNotShared = 28 * kKiB;
constexpr std::uint64_t kSteps[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

std::uint64_t cache_bytes(const exec::Grid& grid, std::uint64_t together) {
  const devices::Profile& gpu = *grid.profile;
  const std::uint64_t block = std::uint64_t{grid.static_shared} + grid.dynamic_shared;
  // What a block has in shared memory without asking counts as well (tests/model/halves.cu: blocks of a warp leave 224 KiB).
  const std::uint64_t wanted = together * (block + gpu.shared_reserved_per_block);
  std::uint64_t shared = gpu.shared_per_sm;
  for (const std::uint64_t step : kSteps)
    if (step * kKiB >= wanted) {
      shared = std::min<std::uint64_t>(shared, step * kKiB);
      break;
    }
  return gpu.shared_per_sm + kNotShared - shared;
}

}  // namespace

Level1::How Level1::how(const ptx::Instruction& ins, AccessKind kind) {
  if (kind == AccessKind::Store) return How::Store;
  if ((ins.has("acquire") || ins.has("acq_rel")) && !ins.has("cta")) return How::Acquire;
  if (kind == AccessKind::Atomic || kind == AccessKind::Reduction) return How::Atomic;
  for (const std::string_view past : {"cg", "cv", "volatile", "relaxed", "acquire", "mmio"})
    if (ins.has(past)) return How::Past;
  return ins.has("L1::no_allocate") ? How::NoAllocate : How::Load;
}

// Lines of four sectors in sets of 16; the one goes that was used longest ago. (On an H200 a warp that walks round 2048 lines
// finds hardly one of them again, where 1792 fit.)
class Level1::Cache {
 public:
  explicit Cache(std::uint64_t bytes)
      : sets_(std::max<std::uint64_t>(1, bytes / (kWays * kLineSectors * kSectorBytes))),
        numbers_(sets_ * kWays),
        used_(sets_ * kWays),
        lines_(sets_ * kWays) {}
  // How many lines a store is for that comes right behind another one of its warp: few, or more. Half, All: so many that it
  // does not find what was only stored, if something comes in between, or nothing.
  enum class Haste : std::uint8_t { None, OneLine, Many, Most, Half, All };
  // Returns which of the sectors were there. `by`: the warp that asks.
  std::uint8_t touch(const Touch& t, std::uint16_t by, Haste haste) {
    ++now_;
    const std::uint8_t there = look_up(t, by, haste);
    if (there != t.sectors || t.how == How::Store)
      asked_.set(mix(t.line / kLinesInSlice) % kSlices);
    return there;
  }
  std::uint8_t look_up(const Touch& t, std::uint16_t by, Haste haste) {
    if (t.how == How::Acquire) {
      empty_since_ = now_;
      return 0;
    }
    const std::uint64_t set = set_of(t.line) * kWays;
    for (std::uint64_t at = set; at < set + kWays; ++at) {
      if (numbers_[at] != t.line || !holds(lines_[at])) continue;
      used_[at] = now_;
      return again(lines_[at], t, by, haste);
    }
    if (t.how != How::Load && t.how != How::Store) return 0;
    std::uint64_t at = set + kWays;
    while (at > set && holds(lines_[at - 1])) --at;
    at = at > set ? at - 1 : oldest(set);
    numbers_[at] = t.line;
    used_[at] = now_;
    lines_[at] = {now_, 0, 0, by};
    return again(lines_[at], t, by, haste);
  }
  std::uint64_t slices() const { return asked_.count(); }
  // All warps have had a turn.
  void next_round() { ++round_; }
  // A warp has its turn; it waits for a line once.
  void next_turn() { ++turn_; }
  // Sectors of the stores since the last call that had been read.
  std::uint32_t in_place() { return std::exchange(in_place_, 0); }
  bool late() {
    const bool is = late_;
    late_ = false;
    return is;
  }

 private:
  static constexpr std::uint64_t kWays = 16;
  struct Line {
    std::uint32_t since = 0;
    // The second: a store finds that the line is known, a load does not find them.
    std::uint8_t sectors = 0, stored = 0;
    std::uint16_t by = 0;  // the warp that stored last
    std::uint16_t brought_by = 0;
    std::uint32_t brought = 0;  // in which round
  };
  struct Waited {
    std::uint64_t line = 0;
    std::uint32_t turn = 0;
  };
  bool holds(const Line& line) const {
    return (line.sectors | line.stored) && line.since >= empty_since_;
  }
  std::uint64_t oldest(std::uint64_t set) const {
    const auto first = used_.begin() + static_cast<std::ptrdiff_t>(set);
    return static_cast<std::uint64_t>(std::min_element(first, first + kWays) - used_.begin());
  }
  // Lines on end are spread evenly, others as if drawn.
  std::uint64_t set_of(std::uint64_t line) const {
    constexpr std::uint64_t kOnEnd = 128;
    return (line ^ mix(line / kOnEnd) % kOnEnd) % sets_;
  }
  static std::uint64_t mix(std::uint64_t line) {
    line *= 0x9e3779b97f4a7c15u;
    return line ^ line >> 32;
  }
  // One in eight stores comes at the same time as the one that makes the line known; of those for one line, one in 24.
  bool at_once(Haste haste) const {
    return (mix(now_) >> 40) % (haste == Haste::OneLine ? 24 : 8) == 0;
  }
  // Of stores that come right behind each other with many lines, nearly one in five: those to lines that were read before,
  // or all where there are still more (tests/timing_set, `fields`).
  bool too_hasty(const Line& line, Haste haste) const {
    if (haste == Haste::All) return !line.sectors;
    if (haste == Haste::Half) return !line.sectors && (mix(now_) >> 40) % 2;
    return (haste == Haste::Most || (haste == Haste::Many && line.sectors)) &&
           (mix(now_) >> 40) % 11 < 2;
  }
  std::uint8_t again(Line& line, const Touch& t, std::uint16_t by, Haste haste) {
    const std::uint8_t there = line.sectors & t.sectors;
    switch (t.how) {
      case How::Load:
        line.sectors |= t.sectors;
        if (there != t.sectors) {
          line.brought = round_;
          line.brought_by = by;
        } else if (line.brought == round_ && line.brought_by != by) {
          Waited& waited = waited_[mix(t.line) >> 20 & (kWaited - 1)];
          late_ |= waited.line != t.line || waited.turn != turn_;
          waited = {t.line, turn_};
        }
        return there;
      case How::Store:
      case How::Placed: {  // written through
        const bool known = !too_hasty(line, haste) &&
                           (line.sectors || (line.stored && (line.by == by || !at_once(haste))));
        in_place_ += static_cast<std::uint32_t>(std::popcount(there));
        line.stored |= t.sectors;
        line.by = by;
        return known ? t.sectors : std::uint8_t{0};
      }
      case How::NoAllocate:
        return there;
      case How::Past:
      case How::Acquire:
        return 0;
      case How::Atomic:
        line.sectors &= static_cast<std::uint8_t>(~t.sectors);
        line.stored &= static_cast<std::uint8_t>(~t.sectors);
        return 0;
    }
    return 0;
  }
  std::uint64_t sets_;
  std::uint32_t now_ = 0, empty_since_ = 0;  // touches: at most kMost are played
  static constexpr std::size_t kWaited = 256;
  std::array<Waited, kWaited> waited_;
  std::uint32_t round_ = 1, turn_ = 1;
  bool late_ = false;
  std::uint32_t in_place_ = 0;
  // Of L2, that were asked: so many lines on end are in the same one.
  static constexpr std::uint64_t kSlices = 96, kLinesInSlice = 4;
  std::bitset<kSlices> asked_;
  // Apart from the lines: most of the time goes into looking for one.
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint32_t> used_;  // when, last
  std::vector<Line> lines_;
};

void Level1::number(const exec::Code& code) {
  constexpr std::uint32_t kLong = 16;
  for (const exec::Instr& in : code.instrs)
    places_.push_back((places_.empty() ? 0 : places_.back()) + (takes_long(in.row) ? kLong : 1));
}

void Level1::begin(const exec::Grid& grid) {
  places_.clear();
  multiprocessors_ = grid.profile->multiprocessors;
  const std::uint64_t blocks = grid.grid.count(), busy = std::min(blocks, multiprocessors_);
  const std::uint64_t fit = std::max<std::uint64_t>(1, grid.resident_blocks / multiprocessors_);
  together_ = std::min(fit, (blocks + multiprocessors_ - 1) / multiprocessors_);
  at_first_ = fit * multiprocessors_;
  bytes_ = cache_bytes(grid, fit);
  place_.assign(multiprocessors_, 0);
  for (auto& traces : traces_) traces.clear();
  const std::uint64_t watched = std::min<std::uint64_t>(kWatched, busy);
  for (std::uint64_t i = 0; i < watched; ++i)
    place_[(2 * i + 1) * busy / (2 * watched)] = static_cast<std::uint8_t>(i + 1);
  now_ = nullptr;
  left_ = kMost;
}

// At first they are given out in turn. Then a block goes to wherever another one has ended: to no multiprocessor twice in the
// same rhythm, or arrays would be met again there whose blocks only lie so many apart.
std::uint64_t Level1::multiprocessor_of(std::uint64_t block) const {
  const std::uint64_t turn = block / multiprocessors_;
  const std::uint64_t ahead = block < at_first_ ? 0 : turn * 0x9e3779b97f4a7c15u >> 32;
  return (block + ahead) % multiprocessors_;
}

bool Level1::watches(const exec::Block& block) {
  const std::uint8_t place = place_[multiprocessor_of(block.linear)];
  if (place == 0) return false;
  Traces& traces = traces_[place - 1];
  for (std::size_t i = traces.size(); i-- > 0;)  // usually the last one
    if (traces[i]->linear == block.linear) {
      now_ = traces[i].get();
      return true;
    }
  if (left_ == 0) return false;
  now_ = traces.emplace_back(std::make_unique<Trace>()).get();
  now_->linear = block.linear;
  now_->warps.resize(block.warps.size());
  return true;
}

void Level1::add(std::uint32_t warp, std::uint32_t instruction, How how, const Sectors& sectors) {
  if (left_ < kWarpLanes + 1) {
    left_ = 0;
    return;
  }
  std::vector<Touch>& to = now_->warps[warp];
  const std::size_t before = to.size();
  // Lines of other warps: those have numbers of their own.
  const std::uint64_t others = how == How::Placed ? ((now_->linear << 5 | warp) + 1) << 44 : 0;
  if (how == How::Placed) how = How::Store;
  const auto one = [&](std::uint64_t sector, std::uint64_t bits) {
    const std::uint64_t line = sector / kLineSectors ^ others;
    if (to.size() > before && to.back().line == line)
      to.back().sectors |= static_cast<std::uint8_t>(bits);
    else
      to.push_back({line, instruction, static_cast<std::uint8_t>(bits), how, to.size() == before});
  };
  switch (sectors.form) {
    case Sectors::Form::Run:
      for (std::uint64_t s = sectors.first, end = s + sectors.count; s < end;) {
        const std::uint64_t in_line = s % kLineSectors,
                            n = std::min(end - s, kLineSectors - in_line);
        one(s, ((1u << n) - 1) << in_line);
        s += n;
      }
      break;
    case Sectors::Form::Near:
      for (std::uint64_t bits = sectors.near; bits;) {
        const auto nibble = static_cast<std::uint64_t>(std::countr_zero(bits)) / 4 * 4;
        one(sectors.first + nibble, bits >> nibble & 15);
        bits &= ~(std::uint64_t{15} << nibble);
      }
      break;
    case Sectors::Form::List:
      for (std::uint32_t i = 0; i < sectors.count; ++i)
        one(sectors.list[i], 1u << sectors.list[i] % kLineSectors);
      break;
  }
  left_ -= to.size() - before;
}

// Whether the store at touch k comes right before one of a later instruction of the warp, with nothing asked for in between.
// What was stored longer ago has gone.
bool Level1::right_before(const std::vector<Touch>& touches, std::size_t k,
                          std::uint32_t instruction) {
  constexpr std::uint32_t kSoon = 5;  // instructions
  return touches[k].how == How::Store && instruction - touches[k].instruction <= kSoon;
}

// Of the store that begins at this touch, the sectors to which others have stored that came right before it: an element of a
// structure beside the one before.
std::uint32_t Level1::stored_again(const std::vector<Touch>& touches, std::size_t first,
                                   std::size_t end) {
  constexpr std::size_t kFar = 16;  // touches
  std::uint32_t again = 0;
  for (std::size_t i = first; i < end; ++i) {
    std::uint8_t before = 0;
    std::uint32_t next = touches[first].instruction;
    for (std::size_t k = first; k-- > 0 && first - k <= kFar && right_before(touches, k, next) &&
                                touches[k].instruction < touches[first].instruction;
         next = touches[k].instruction)
      if (touches[k].line == touches[i].line) before |= touches[k].sectors;
    again += static_cast<std::uint32_t>(
        std::popcount(static_cast<std::uint8_t>(before & touches[i].sectors)));
  }
  return again;
}

// The request that begins at touch i, which becomes the next one's.
bool Level1::request(const std::vector<Touch>& touches, std::size_t& i, std::uint16_t by,
                     Cache& cache, std::vector<Found>& found) const {
  Found& f = found[touches[i].instruction];
  std::uint32_t sectors = 0, hits = 0;
  std::size_t end = i + 1;
  while (end < touches.size() && !touches[end].begins) ++end;
  auto haste = Cache::Haste::None;
  if (touches[i].how == How::Store) {
    constexpr std::size_t kMany = 7, kMost = 12, kTooMany = 24;  // lines
    const std::size_t lines = end - i;
    f.again += stored_again(touches, i, end);
    if (lines == 1) haste = Cache::Haste::OneLine;
    if (lines >= kMany && lines < kTooMany && touches[0].how == How::Load &&
        right_before(touches, i - 1, touches[i].instruction))
      haste = lines >= kMost ? Cache::Haste::Most : Cache::Haste::Many;
    if (lines >= kTooMany && i > 0 && touches[i - 1].how == How::Store) {
      constexpr std::uint32_t kSoon = 5;  // instructions
      const std::uint32_t apart =
          place_of(touches[i].instruction) - place_of(touches[i - 1].instruction);
      if (apart <= kSoon) haste = apart == 1 ? Cache::Haste::All : Cache::Haste::Half;
    }
  }
  for (; i < end; ++i) {
    sectors += static_cast<std::uint32_t>(std::popcount(touches[i].sectors));
    hits += static_cast<std::uint32_t>(std::popcount(cache.touch(touches[i], by, haste)));
  }
  f.in_place += cache.in_place();
  ++f.requests;
  f.whole += sectors == hits;
  f.sectors += sectors;
  f.hits += hits;
  f.late += cache.late() && sectors == hits;
  return hits == sectors;
}

std::uint64_t Level1::play_one(const Traces& blocks, std::vector<Found>& found) const {
  Cache cache(bytes_);
  struct Seat {
    const Trace* block;
    std::vector<std::size_t> at;  // of each warp, its next touch
  };
  std::vector<Seat> seats;
  std::size_t next = 0;
  const auto sit = [&](Seat& seat) {
    seat.block = blocks[next++].get();
    seat.at.assign(seat.block->warps.size(), 0);
  };
  while (next < blocks.size() && seats.size() < together_) sit(seats.emplace_back());
  for (; !seats.empty(); cache.next_round()) {
    for (std::size_t s = 0; s < seats.size();) {
      Seat& seat = seats[s];
      bool going = false;
      for (std::size_t w = 0; w < seat.at.size(); ++w) {
        const std::vector<Touch>& touches = seat.block->warps[w];
        std::size_t& i = seat.at[w];
        if (i == touches.size()) continue;
        going = true;
        cache.next_turn();
        bool waits =
            false;  // for what a load has asked L2 for: a store that comes behind it does not go on before
        for (std::size_t turn = 0; turn < kTurn && i < touches.size(); ++turn) {
          const How how = touches[i].how;
          if (waits && how == How::Store) break;
          if (how == How::Acquire) turn = kTurn;  // nothing goes on before it
          const auto by = static_cast<std::uint16_t>(s << 5 | w);
          waits |= !request(touches, i, by, cache, found) && how == How::Load;
        }
      }
      if (going) {
        ++s;
      } else if (next < blocks.size()) {
        sit(seat);
      } else {
        seats.erase(seats.begin() + static_cast<std::ptrdiff_t>(s));
      }
    }
  }
  return cache.slices();
}

std::vector<Level1::Found> Level1::play(std::size_t instructions) {
  std::vector<Found> found(instructions);
  std::uint64_t slices = 0, played = 0;
  for (const Traces& blocks : traces_) {
    slices += play_one(blocks, found);
    played += !blocks.empty();
  }
  slices_ = played ? static_cast<double>(slices) / static_cast<double>(played) : 0;
  return found;
}

}  // namespace emu::observe
