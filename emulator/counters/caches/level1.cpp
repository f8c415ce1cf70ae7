// SPDX-License-Identifier: MIT
// Writes requests down.
#include "counters/caches/level1.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "counters/caches/level1_size.hpp"
#include "ptx/module.hpp"

namespace emu::observe {
Level1::How Level1::how(const ptx::Instruction& ins, AccessKind kind) {
  if (kind == AccessKind::Store) return How::Store;
  if ((ins.has("acquire") || ins.has("acq_rel")) && !ins.has("cta")) return How::Acquire;
  if (kind == AccessKind::Atomic || kind == AccessKind::Reduction) return How::Atomic;
  for (const std::string_view past : {"cg", "cv", "volatile", "relaxed", "acquire", "mmio"})
    if (ins.has(past)) return How::Past;
  return ins.has("L1::no_allocate") ? How::NoAllocate : How::Load;
}

namespace {

// The i-th of `all` that are watched, of those that have something to do: as far from each other as can be, but not by a
// multiple of what rows of blocks often have, else all would have the same place in theirs, say the edge of a grid.
std::uint64_t nth_watched(std::uint64_t i, std::uint64_t all, std::uint64_t busy) {
  constexpr std::uint64_t kInRow = 4;
  const std::uint64_t step = busy / all + (kInRow + 1 - busy / all % kInRow) % kInRow;
  return ((busy - 1) / (2 * all) + i * step) % busy;
}

}  // namespace

void Level1::begin(const exec::Grid& grid, bool first_counts) {
  // Multiprocessors at most that are watched to the end, one in so many that have something to do; and more as long as those ask
  // for little: touches, of launches that leave many without anything to do even fewer.
  constexpr std::size_t kWatched = 4, kOneIn = 16, kFewAtFirst = 16, kOneInAtFirst = 8;
  constexpr std::size_t kLittle = 1u << 14, kVeryLittle = 1u << 13;
  constexpr std::uint64_t kCrowd = 32;  // warps of a multiprocessor
  places_.clear();
  multiprocessors_ = grid.profile->multiprocessors;
  const std::uint64_t blocks = grid.grid.count(), busy = std::min(blocks, multiprocessors_);
  const std::uint64_t fit = std::max<std::uint64_t>(1, grid.resident_blocks / multiprocessors_);
  together_ = std::min(fit, (blocks + multiprocessors_ - 1) / multiprocessors_);
  order_ = BlockOrder({multiprocessors_, grid.profile->multiprocessors_apart}, blocks, fit);
  in_waves_ = 2 * blocks > 3 * order_.at_first();
  const std::uint64_t of_block = (grid.block.count() + kWarpLanes - 1) / kWarpLanes;
  warps_ = together_ * of_block;
  // Naive transpositions by blocks of 4 to 32 warps, of 100 to 4100 columns (tests/model/stores.cu).
  at_the_same_time_ = in_waves_ ? 0.025 + 0.0045 * static_cast<double>(of_block)
                                : 0.1 + 0.004 * static_cast<double>(of_block);
  crowded_ = warps_ > kCrowd;
  all_bytes_ = level1_and_shared(*grid.profile);
  bytes_ = level1_bytes(grid);
  place_.assign(multiprocessors_, 0);
  clear_traces();
  watched_ = std::clamp<std::uint64_t>(busy / kOneIn, 1, kWatched);
  little_ = busy < kOneInAtFirst * kFewAtFirst ? kVeryLittle : kLittle;
  const std::uint64_t at_first =
      std::min(busy, std::clamp<std::uint64_t>(busy / kOneInAtFirst, kFewAtFirst, kAtFirst));
  std::uint64_t places = 0;
  for (const std::uint64_t all : {std::uint64_t{watched_}, at_first})
    for (std::uint64_t i = 0; i < all && places < all; ++i) {
      std::uint64_t at = order_.by_load(nth_watched(i, all, busy));
      if (first_counts && places == 0) at = order_.place_of(0);
      while (place_[at]) at = (at + 1) % busy;
      place_[at] = static_cast<std::uint8_t>(++places);
    }
  now_ = nullptr;
  left_ = kMost;
  placed_ = 0;
}

// Who comes next gets the place of one that has ended.
Level1Local::Place Level1::local_place(const exec::Warp& warp, std::uint64_t words) {
  const std::uint64_t seat = warp.block->linear / multiprocessors_ % together_;
  const std::uint64_t warps = warp.block->warps.size(), place = seat * warps + warp.id;
  return {local_.first_line(place, words),
          warp.block->linear % multiprocessors_ * together_ * warps * words};
}

// Their memory is kept, as long as it is not much: to give it back and take it again costs more than to fill it.
void Level1::clear_traces(std::size_t from) {
  std::size_t kept = 0;
  for (const std::vector<Touch>& touches : spare_) kept += touches.capacity();
  for (Traces& traces : std::span(traces_).subspan(from)) {
    for (const auto& trace : traces)
      for (OfWarp& warp : trace->warps) {
        kept += warp.touches.capacity();
        if (kept > kSpare) continue;
        warp.touches.clear();
        spare_.push_back(std::move(warp.touches));
      }
    traces.clear();
  }
}

// Of one that is watched only as long as that is little: a launch that asks for little has few requests to go by.
void Level1::count_little(std::size_t touches) {
  if (little_ >= touches) {
    little_ -= touches;
    return;
  }
  for (std::uint8_t& place : place_)
    if (place > watched_) place = 0;
  clear_traces(watched_);
  now_ = nullptr;
}

bool Level1::watches(const exec::Block& block) {
  const std::uint8_t place = place_[order_.place_of(block.linear)];
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
  now_->only_at_first = place > watched_;
  now_->warps.resize(block.warps.size());
  return true;
}

namespace {

constexpr std::uint64_t kBytesOfLine = kLineSectors * kSectorBytes;
constexpr std::uint64_t kLineNumbers = (std::uint64_t{1} << 59) - 1;
constexpr std::uint32_t kInstructions = (1u << 28) - 1;
constexpr std::uint32_t kWholeSector = (1u << kSectorBytes / 4) - 1;

// All words of some sectors of a line.
constexpr auto kWordsOf = [] {
  std::array<std::uint32_t, 1 << kLineSectors> words{};
  for (std::uint32_t sectors = 0; sectors < words.size(); ++sectors)
    for (std::uint32_t i = 0; i < kLineSectors; ++i)
      if (sectors >> i & 1) words[sectors] |= kWholeSector << i * kSectorBytes / 4;
  return words;
}();
static_assert(kWordsOf[0b1010] == 0xff00ff00);

// A line is looked up once for all lanes that want something of it, wherever they are: a sector of it, and a bit for each that is
// wanted.
template <class Each>
void each_line(const Sectors& sectors, Each each) {
  switch (sectors.form) {
    case Sectors::Form::Run:
      for (std::uint64_t s = sectors.first, end = s + sectors.count; s < end;) {
        const std::uint64_t in_line = s % kLineSectors,
                            n = std::min(end - s, kLineSectors - in_line);
        each(s, ((1u << n) - 1) << in_line);
        s += n;
      }
      break;
    case Sectors::Form::Near:
      for (std::uint64_t bits = sectors.near; bits;) {
        const auto nibble = static_cast<std::uint64_t>(std::countr_zero(bits)) / 4 * 4;
        each(sectors.first + nibble, bits >> nibble & 15);
        bits &= ~(std::uint64_t{15} << nibble);
      }
      break;
    case Sectors::Form::List: {
      LaneMask done = 0;
      for (std::uint32_t i = 0; i < sectors.count; ++i) {
        if (done >> i & 1) continue;
        const std::uint64_t line = sectors.list[i] / kLineSectors;
        std::uint64_t bits = 0;
        for (std::uint32_t k = i; k < sectors.count; ++k) {
          if (sectors.list[k] / kLineSectors != line) continue;
          bits |= 1u << sectors.list[k] % kLineSectors;
          done |= LaneMask{1} << k;
        }
        each(sectors.list[i], bits);
      }
      break;
    }
  }
}

// The words that lanes name of each line, for addresses in one stretch of 64 sectors.
std::array<std::uint32_t, 64 / kLineSectors> words_named(std::uint64_t near,
                                                         const MemoryAccess& access) {
  constexpr std::uint64_t kFirstOfLine = 0x1111'1111'1111'1111u;
  const std::uint64_t lines = (near | near >> 1 | near >> 2 | near >> 3) & kFirstOfLine;
  const std::uint64_t words = (std::uint64_t{1} << std::max(1u, access.bytes_per_lane / 4)) - 1;
  std::array<std::uint32_t, 64 / kLineSectors> named{};
  for (LaneMask m = access.mask; m; m &= m - 1) {
    const std::uint64_t address = access.addresses[std::countr_zero(m)];
    const std::uint64_t line = address / kBytesOfLine % named.size();
    const auto before = std::popcount(lines & ((std::uint64_t{1} << line * kLineSectors) - 1));
    named[static_cast<std::size_t>(before)] |=
        static_cast<std::uint32_t>(words << address % kBytesOfLine / 4);
  }
  return named;
}

}  // namespace

// Of the touches of a request, whose words are those of whole sectors, which words its lanes name.
void Level1::name_words(std::span<Touch> touches, std::uint64_t others, const MemoryAccess& access,
                        const Sectors& sectors) {
  if (sectors.form == Sectors::Form::Near) {
    const auto named = words_named(sectors.near, access);
    for (std::size_t i = 0; i < touches.size(); ++i) touches[i].words = named[i];
    return;
  }
  named_.assign(touches.size(), 0);
  const std::uint64_t count = std::max(1u, access.bytes_per_lane / 4);
  std::size_t at = 0;
  for (LaneMask m = access.mask; m; m &= m - 1) {
    const std::uint64_t address = access.addresses[std::countr_zero(m)];
    const std::uint64_t line = (address / kBytesOfLine ^ others) & kLineNumbers;
    const auto words =
        static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << address % kBytesOfLine / 4);
    for (std::size_t i = 0; i < touches.size(); ++i) {
      if (touches[at].line == line && (touches[at].words & words)) break;
      at = at + 1 == touches.size() ? 0 : at + 1;
    }
    named_[at] |= words;
  }
  for (std::size_t i = 0; i < touches.size(); ++i) touches[i].words = named_[i];
}

// Of words that a store of bytes names, those that it does not write whole: loads do not find them.
void Level1::drop_parts(std::span<Touch> touches, std::uint64_t others,
                        const MemoryAccess& access) {
  for (Touch& touch : touches) {
    std::array<std::uint8_t, kBytesOfLine / 4> written{};  // of each word, a bit for each byte
    const std::uint32_t bytes = (1u << access.bytes_per_lane) - 1;
    for (LaneMask m = access.mask; m; m &= m - 1) {
      const std::uint64_t address = access.addresses[std::countr_zero(m)];
      if (((address / kBytesOfLine ^ others) & kLineNumbers) != touch.line) continue;
      written[address % kBytesOfLine / 4] |= static_cast<std::uint8_t>(bytes << address % 4);
    }
    for (std::size_t word = 0; word < written.size(); ++word)
      if (written[word] != 0b1111) touch.words &= ~(1u << word);
  }
}

void Level1::add(std::uint32_t warp, std::uint32_t instruction, How how, const Sectors& sectors,
                 const MemoryAccess* access) {
  if (!now_) return;  // not any more: count_little()
  if (left_ < kWarpLanes + 1) {
    left_ = 0;
    return;
  }
  OfWarp& of = now_->warps[warp];
  std::vector<Touch>& to = of.touches;
  if (to.capacity() == 0 && !spare_.empty()) {
    to = std::move(spare_.back());
    spare_.pop_back();
  }
  const std::size_t before = to.size();
  // Lines that others store to as well: what follows an atomic has numbers of its own for them.
  if (how == How::Atomic) of.placed = 0;
  if (how == How::Placed && of.placed == 0) of.placed = ++placed_;
  const std::uint64_t others = how == How::Placed ? of.placed << 36 & kLineNumbers : 0;
  if (how == How::Placed) how = How::Store;
  Touch touch{};
  touch.how = how;
  touch.instruction = instruction & kInstructions;
  each_line(sectors, [&](std::uint64_t sector, std::uint64_t bits) {
    touch.line = (sector / kLineSectors ^ others) & kLineNumbers;
    touch.sector_bits = bits & 15;
    touch.words = kWordsOf[bits & 15];
    to.push_back(touch);
  });
  if (to.size() == before) return;  // a hint
  to[before].begins = true;
  if (access && (how == How::Load || how == How::Store))
    name_words(std::span(to).subspan(before), others, *access, sectors);
  if (access && how == How::Store && access->bytes_per_lane < 4)
    drop_parts(std::span(to).subspan(before), others, *access);
  const std::size_t touches = to.size() - before;
  left_ -= touches;
  if (now_->only_at_first) count_little(touches);
}

void Level1::fence(std::uint32_t warp, std::uint32_t instruction) {
  if (!now_ || left_ == 0) return;
  Touch& touch = now_->warps[warp].touches.emplace_back();
  touch.line = 0;
  touch.how = How::Acquire;
  touch.begins = true;
  touch.instruction = instruction & kInstructions;
  --left_;
}

}  // namespace emu::observe
