// SPDX-License-Identifier: MIT
// What a launch touches in global memory, and what of it the L2 cache holds. Long because what every access does is inline.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "counters/access_rules.hpp"
#include "counters/caches/l2_lines.hpp"
#include "counters/caches/l2_page.hpp"
#include "counters/caches/level1_local.hpp"

namespace emu::observe {

// The sectors that a launch reads and writes, and those in L2, which keeps them from launch to launch, until flush(). What is read
// comes from DRAM in pairs, what is written needs nothing. L2 has two halves: what multiprocessors of the one where a sector is not at
// home read, or write whole, is kept there as well (L2Lines), until a copy, a memset or a multiprocessor of the other half writes it.
class Footprint {
 public:
  static constexpr std::uint64_t kRowBytes = 1024, kBanks = 12288;  // of DRAM
  // AtHome: the half where the sector is at home is asked, whoever reads. NoKernel: a copy or a memset. Part: sectors are
  // not written whole. First: what comes is to leave first. Host: a copy from there, for which L2 makes no room. Across: both
  // halves are asked, and a sector comes without its neighbour.
  enum Use : std::uint8_t { Read = 1, Write = 2, AtHome = 4, NoKernel = 8, Part = 16, First = 32 };
  static constexpr std::uint8_t Host = 64, Across = 128;

  void set_capacity(std::uint64_t bytes);
  void set_near(const L2Near& near, bool another_block = false);  // where a block runs from here on
  // A warp, and which of its instructions; none where all lanes ask for the same.
  void set_warp(std::uint32_t warp, std::uint32_t instruction = 0) {
    if (warp != warp_) held_.next_turn(warp < warp_);
    if (instruction <= std::exchange(instruction_, instruction)) held_.asks_together();
    warp_ = warp;
    ++requests_[warp % kWarpLanes];
  }
  // Of a store that comes next, and lasts until then: Part, unless it writes its sectors whole.
  std::uint8_t part_of(const MemoryAccess& store, const GlobalCost& cost);
  // Each returns how many of the sectors were read and not in L2, or only on their way there.
  std::uint32_t add(const Sectors& sectors, std::uint8_t use);
  // `count` sectors from a line's first on, at most 32.
  [[gnu::always_inline]] std::uint32_t add_run(std::uint64_t first, std::uint32_t count,
                                               std::uint8_t use) {
    const std::uint64_t bit = first % 64, bits = (std::uint64_t{1} << count) - 1;
    const std::uint32_t missed = add_bits(first - bit, bits << bit, use);
    return missed + (bit + count > 64 ? add_rest(first - bit + 64, bits >> (64 - bit), use) : 0);
  }
  std::uint64_t add_range(std::uint64_t first, std::uint64_t count, std::uint8_t use);
  void touch(std::uint64_t address, std::uint64_t bytes, std::uint8_t use);  // by no launch
  // Blocks side by side; at once: all of them; warps side by side.
  void begin_launch(std::uint64_t side_by_side = 1, bool at_once = false, std::uint64_t warps = 1);
  void end_launch();
  void flush();  // nothing is in L2 any more
  bool in_l2(std::uint64_t sector);
  // Of the launch so far: sectors used in one of the given ways, that came from DRAM, and that were written and had to leave.
  std::uint64_t count(std::uint8_t use) const;
  std::uint64_t from_dram() const { return from_dram_; }
  std::uint64_t rows_opened() const { return rows_opened_; }  // for that
  std::uint64_t missed() const { return missed_; }
  std::uint64_t atomics_missed() const { return atomics_missed_; }  // those among them
  // Sectors that were on their way from DRAM, with one that was asked for just before.
  std::uint64_t on_their_way() const { return on_their_way_; }
  L2Askers& askers() { return askers_; }
  // Sectors that one half did not have, and looked for in the other; and their neighbours, for which nobody asked, found there.
  std::uint64_t asked_again() const { return asked_again_; }
  std::uint64_t came_along() const { return came_along_; }
  std::uint64_t written_back() const { return held_.written_back(); }
  std::uint64_t lines_written_back() const { return held_.lines_written_back(); }
  // Sectors that were written in part and read from DRAM to be whole: too many of them were waiting for the rest.
  std::uint64_t filled() const { return held_.filled(); }
  std::uint64_t filled_early() const { return held_.filled_early(); }

 private:
  using Page = L2Page;
  static constexpr std::uint32_t kWords = Page::kWords, kSectors = Page::kSectors;
  static constexpr std::uint64_t kLocalPages = Level1Local::kFirst * kLineSectors / kSectors;
  std::uint32_t add_others(const Sectors& sectors, std::uint8_t use);
  std::uint32_t add_rest(std::uint64_t sector, std::uint64_t bits, std::uint8_t use);
  // Bits of the word that holds `sector`, counted from it on.
  [[gnu::always_inline]] std::uint32_t add_bits(std::uint64_t sector, std::uint64_t bits,
                                                std::uint8_t use) {
    return add_word(page_of(sector), sector % kSectors / 64, bits, use);
  }
  [[gnu::always_inline]] std::uint32_t add_word(Page& page, std::uint64_t word, std::uint64_t bits,
                                                std::uint8_t use) {
    if (held_.reaches_far() && page.number < kLocalPages) held_.lose(page, word, bits, half_);
    if (use != Read) return stored_again(page, word, bits, use) ? 0 : other(page, word, bits, use);
    held_.use(page, word, bits, half_);
    page.words[word].read |= bits;
    held_.load();
    if (bits >> page.watched(word) & 1)
      askers_.count(page, word, bits, warp_, requests_[warp_ % kWarpLanes]);
    const std::uint64_t fresh = bits & (~page.words[word].in_half[half_] | page.words[word].coming);
    return fresh ? ask(page, word, bits, fresh, half_) : 0;
  }
  // To what was written before, whole, and is still there: nothing else changes.
  bool stored_again(Page& page, std::uint64_t word, std::uint64_t bits, std::uint8_t use) {
    const std::uint32_t home = page.home_of(word);
    Page::Word& of = page.words[word];
    if ((use | Read) != (Read | Write) || bits & ~(of.dirty & of.in_half[home] & ~of.part))
      return false;
    if (!(use & Read) && half_ != home) {
      if (bits & ~of.in_half[half_]) return false;
      held_.use(page, word, bits, half_);
    }
    if (half_ == home && of.in_half[1 - home]) spoil(page, word, bits);
    of.written |= bits;
    held_.use(page, word, bits, home);
    held_.asks_together();
    if (use & Read) of.read |= bits;
    return true;
  }
  void spoil(Page& page, std::uint64_t word, std::uint64_t bits);
  void throw_out(Page& page, std::uint64_t word, std::uint64_t bits);
  void refresh(Page& page, std::uint64_t word, std::uint64_t bits);
  std::uint32_t ask(Page& page, std::uint64_t word, std::uint64_t bits, std::uint64_t fresh,
                    std::uint32_t half);
  std::uint32_t other(Page& page, std::uint64_t word, std::uint64_t bits, std::uint8_t use);
  std::uint32_t write(Page& page, std::uint64_t word, std::uint64_t bits, std::uint8_t use);
  std::uint32_t late(Page& page, std::uint64_t word, std::uint64_t bits, std::uint64_t fresh);
  void bring(Page& page, std::uint64_t word, std::uint64_t along, std::uint64_t asked);
  void come_from_dram(Page& page, std::uint64_t word, std::uint64_t come);
  void store_part(Page& page, std::uint64_t word, std::uint64_t bits, std::uint8_t use,
                  std::uint64_t absent);
  Page& page_of(std::uint64_t sector) {
    const std::uint64_t number = sector / kSectors;
    Page* const recent = recent_.find(number);
    return recent ? *recent : find_page(number);
  }
  Page& find_page(std::uint64_t number);

  L2Lines::Pages pages_;
  RecentPages recent_;
  std::vector<Page*> touched_;
  L2Lines held_;
  std::uint32_t half_ = 0, warp_ = 0, instruction_ = 0;
  std::array<std::uint32_t, kWarpLanes> requests_{};  // of each warp of the block so far
  bool run_ = false,
       across_ = false;  // the sectors that are asked for lie on end; are asked for Across
  std::array<WrittenPart, kWarpLanes> room_for_parts_;
  const MemoryAccess* store_ = nullptr;
  std::span<const WrittenPart> parts_;  // what it writes of each sector, when that was asked for
  std::uint64_t side_by_side_ = 1, blocks_ = 1;  // of this launch: at a time, and that have run
  std::vector<std::uint64_t> open_rows_;         // of 1 KiB, one of each bank, that were read last
  L2Askers askers_;
  std::uint64_t from_dram_ = 0, rows_opened_ = 0, missed_ = 0, on_their_way_ = 0;
  std::uint64_t asked_again_ = 0, came_along_ = 0, atomics_missed_ = 0;
};

}  // namespace emu::observe
