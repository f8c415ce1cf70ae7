// SPDX-License-Identifier: MIT
// Writes requests down, and plays them.
#include "counters/caches/level1.hpp"

#include <algorithm>
#include <bit>

#include "counters/caches/level1_cache.hpp"
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

// A part of the code is what runs on end: to the next branch, its target, or where lanes or warps meet.
void Level1::number(const exec::Code& code) {
  constexpr std::uint32_t kLong = 16;
  std::vector<bool> begins(code.instrs.size() + 1);
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const exec::Instr& in = code.instrs[i];
    if (in.flow == exec::Flow::Next) continue;
    begins[i + 1] = true;
    if (in.flow == exec::Flow::Branch) begins[in.target] = true;
  }
  Place place = places_.empty() ? Place{} : places_.back();
  ++place.part;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    place.number += takes_long(code.instrs[i].row) ? kLong : 1;
    place.part += begins[i];
    places_.push_back(place);
  }
}

void Level1::begin(const exec::Grid& grid) {
  places_.clear();
  multiprocessors_ = grid.profile->multiprocessors;
  const std::uint64_t blocks = grid.grid.count(), busy = std::min(blocks, multiprocessors_);
  const std::uint64_t fit = std::max<std::uint64_t>(1, grid.resident_blocks / multiprocessors_);
  together_ = std::min(fit, (blocks + multiprocessors_ - 1) / multiprocessors_);
  at_first_ = fit * multiprocessors_;
  in_waves_ = 2 * blocks > 3 * at_first_;
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

// Of the lines of the store that begins at this touch. What finds which line was seen with ncu: tests/timing_set, `fields`, and
// stores of all distances between lanes, right behind each other and apart.
Level1::Missed Level1::missed(const std::vector<Touch>& touches, std::size_t first,
                              std::size_t end) const {
  constexpr std::size_t kMany = 7, kEight = 8, kMost = 12, kTooMany = 24;  // lines
  constexpr std::uint32_t kSoon = 5;                                       // instructions
  constexpr double kNearlyOneInFive = 2.0 / 11;
  const std::size_t lines = end - first;
  Missed missed;
  // One in eight comes at the same time as the one that makes the line known; of those for one line, one in 24.
  missed.stored_by_others = lines == 1 ? 1.0 / 24 : 1.0 / 8;
  if (first == 0 || touches[first - 1].how != How::Store) return missed;
  const Touch &store = touches[first], &before = touches[first - 1];
  const bool read_first = touches[0].how == How::Load;
  if (lines >= kTooMany) {  // if nothing comes in between, it finds nothing that was only stored
    const std::uint32_t apart =
        place_of(store.instruction).number - place_of(before.instruction).number;
    if (apart <= kSoon) missed.stored = apart == 1 ? 1 : 0.5;
    return missed;
  }
  if (store.instruction - before.instruction > kSoon) return missed;
  if (lines >= kMany && read_first) missed.read = kNearlyOneInFive;
  if (lines >= kMost && read_first) missed.stored = kNearlyOneInFive;
  // A warp's own stores, one behind the other; those that fill eight lines when the machine is full of them.
  if (store.instruction > before.instruction) {
    if (lines == 1 || lines == 4) missed.stored = 1.0 / 8;
    if (lines == kEight && (in_waves_ || !read_first)) missed.stored = 1.0 / 4;
  }
  return missed;
}

// The request that begins at touch i, which becomes the next one's. Returns whether the warp can go on with what it asked for.
bool Level1::request(const std::vector<Touch>& touches, std::size_t& i, std::uint16_t by,
                     Cache& cache, std::vector<Found>& found) const {
  Found& f = found[touches[i].instruction];
  std::uint32_t sectors = 0, hits = 0;
  constexpr std::size_t kFewLines = 8;
  const std::size_t first = i;
  std::size_t end = i + 1;
  while (end < touches.size() && !touches[end].begins) ++end;
  const bool stores = touches[i].how == How::Store;
  if (stores) f.again += stored_again(touches, i, end);
  const Missed missed = stores ? this->missed(touches, i, end) : Missed{};
  for (; i < end; ++i) {
    sectors += static_cast<std::uint32_t>(std::popcount(touches[i].sectors));
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

// A warp's turn. It ends where the warp waits for what a load has asked for: at a store, and where the code branches or its
// lanes meet, since ptxas does not move loads over that.
void Level1::take_turn(const std::vector<Touch>& touches, std::size_t& i, std::uint16_t by,
                       Cache& cache, std::vector<Found>& found) const {
  cache.next_turn();
  bool waits = false;
  std::uint32_t part = 0;  // of the code, that the load is in
  for (std::size_t turn = 0; turn < kTurn && i < touches.size(); ++turn) {
    const How how = touches[i].how;
    const std::uint32_t now = place_of(touches[i].instruction).part;
    if (waits && (how == How::Store || (how != How::Atomic && now > part))) return;
    if (how == How::Acquire) turn = kTurn;  // nothing goes on before it
    if (!request(touches, i, by, cache, found) && how == How::Load) {
      waits = true;
      part = now;
    }
  }
}

std::uint64_t Level1::play_one(const Traces& blocks, std::vector<Found>& found) const {
  Cache cache(bytes_);
  struct Seat {
    const Trace* block;
    std::size_t first_warp;       // a number of its own for each
    std::vector<std::size_t> at;  // of each warp, its next touch
  };
  std::vector<Seat> seats;
  std::size_t next = 0;
  const auto sit = [&](Seat& seat) {
    seat.first_warp = next << 5;
    seat.block = blocks[next++].get();
    seat.at.assign(seat.block->warps.size(), 0);
  };
  // Each warp has a turn. Returns whether something is left to do.
  const auto play_block = [&](Seat& seat) {
    bool going = false;
    for (std::size_t w = 0; w < seat.at.size(); ++w) {
      const std::vector<Touch>& touches = seat.block->warps[w];
      std::size_t& i = seat.at[w];
      if (i == touches.size()) continue;
      take_turn(touches, i, static_cast<std::uint16_t>(seat.first_warp + w), cache, found);
      going |= i < touches.size();
    }
    return going;
  };
  while (next < blocks.size() && seats.size() < together_) sit(seats.emplace_back());
  for (; !seats.empty(); cache.next_round()) {
    for (std::size_t s = 0; s < seats.size();) {
      const bool going = play_block(seats[s]);
      if (!going && next == blocks.size()) {
        seats.erase(seats.begin() + static_cast<std::ptrdiff_t>(s));
        continue;
      }
      if (!going) {  // the next block begins at once
        sit(seats[s]);
        play_block(seats[s]);
      }
      ++s;
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
