// SPDX-License-Identifier: MIT
// What Footprint keeps of 128 KiB of memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "counters/access_rules.hpp"

namespace emu::observe {

// All bits of it as good as drawn, but the same for the same number.
inline std::uint64_t as_if_drawn(std::uint64_t number) {
  number *= 0x9e3779b97f4a7c15u;
  return (number ^ number >> 29) * 0xbf58476d1ce4e5b9u;
}

// A bit for each sector, 64 in a word.
struct L2Page {
  static constexpr std::uint32_t kWords = 64, kSectors = kWords * 64;
  static constexpr std::uint32_t kLines = kSectors / kLineSectors, kWordLines = kLines / kWords;
  static constexpr std::uint32_t kLeavesFirst = 0;  // a time
  static constexpr std::uint64_t kWholeLine = (1u << kLineSectors) - 1;
  // Of a line, in its word.
  static constexpr std::uint64_t sectors_of(std::uint32_t line) {
    return kWholeLine << line % kWordLines * kLineSectors;
  }
  // What is asked of a word together is one cache line.
  struct alignas(64) Word {
    std::uint64_t read = 0, written = 0;  // by this launch
    std::uint64_t dirty = 0;
    std::uint64_t part = 0;  // not in L2 when something was stored there, and not whole since
    // From DRAM, with a sector that was asked for: nobody has asked for these yet. Crossing: from the other half, where they were.
    std::uint64_t coming = 0, crossing = 0;
    std::array<std::uint64_t, 2> in_half{};
    void next_launch() { read = written = coming = crossing = 0; }
  };
  std::array<Word, kWords> words{};
  // Copies in the half where they are not at home of what multiprocessors of the home half have changed in this launch. They are
  // among what is coming, so that whoever reads looks here.
  std::array<std::uint64_t, kWords> stale{};
  // Copies that atomics of this launch have thrown out; and of launches before, which count as found when they are wanted.
  std::array<std::uint64_t, kWords> thrown_out{}, thrown_before{};
  void next_launch() {
    for (std::uint32_t i = 0; i < kWords; ++i) {
      words[i].next_launch();
      thrown_before[i] |= thrown_out[i];
    }
    stale.fill(0);
    thrown_out.fill(0);
  }
  // When each line of a half was used last, by L2Lines' clock.
  alignas(64) std::array<std::array<std::uint32_t, kLines>, 2> time{};
  std::array<std::uint32_t, kLines> first_by{};      // who brought a line first: L2Lines' turns
  std::array<std::uint64_t, kWords> brought_by{};    // of what is coming: whose load that was
  std::array<std::uint32_t, kWords> brought_with{};  // the instruction
  // What was stored so far to each of the sectors that are there in part, in bytes.
  std::unique_ptr<std::array<std::uint8_t, kSectors>> stored;
  std::uint32_t held = 0;              // lines, of both halves
  std::uint64_t waiting = 0;           // words, a bit each: L2Lines::waiting_
  std::uint64_t number = 0, home = 0;  // the half that each word is at home in
  // Of one sector of each word, who has asked for it (L2Askers).
  struct alignas(64) Askers {
    std::uint64_t last = 0, wave = 0;  // the block; and with which others it runs
    std::uint32_t soonest = 0;  // of all warps of those: how many requests it had made before
    // Of each cluster: which warp asked last, and for what of the line; and how many blocks for the same.
    std::array<std::uint32_t, 8> what{};
    std::array<std::uint8_t, 8> asked{};
  };
  std::array<Askers, kWords> askers{};
  std::uint64_t watched(std::uint64_t word) const { return (word * 29 + number * 37) % 64; }
  bool touched = false;  // by this launch

  std::uint32_t home_of(std::uint64_t word) const { return home >> word & 1; }
  bool dirty_line(std::uint32_t line, std::uint32_t half) const {
    const std::uint32_t word = line / kWordLines;
    return half == home_of(word) && words[word].dirty & sectors_of(line);
  }
};

// Watched sectors that blocks have asked for, and that L2 was asked for; and that were asked for as soon in a warp's life as by
// any other that runs beside it.
struct L2Asked {
  std::uint32_t by_blocks = 0, of_l2 = 0, in_step = 0;

  void operator+=(const L2Asked& more) {
    by_blocks += more.by_blocks;
    of_l2 += more.of_l2;
    in_step += more.in_step;
  }
};

// Where a block runs: the half of L2 that is near, and which cluster of multiprocessors it is (a GPC).
struct L2Near {
  std::uint32_t half = 0, cluster = 0;
};
// Of the nth of so many blocks that begin at once, one on each multiprocessor. The first eight go to one cluster, then blocks
// that follow each other go to the same one, and each gets its share of them (one launch of many that differ a little).
// Read off an H200 with tests/model/halves.cu.
L2Near near_of(std::uint64_t nth, std::uint64_t blocks, std::uint64_t multiprocessors);
// Where there are more blocks than find room: the first ones begin so many on end together, in each launch from anywhere on, and
// later ones go to whatever multiprocessor is free. So what a launch has left in one half, the next one may ask the other for,
// and so may neighbours that share a line.
std::uint32_t half_in_waves(std::uint64_t block, std::uint64_t first, std::uint64_t launch,
                            std::uint64_t multiprocessors);
// The half that each 64 sectors of a page are at home in, a bit each.
std::uint64_t homes_of(std::uint64_t page);

// Counts them. Multiprocessors of a cluster that ask for the same sectors of a line at the same time, as the same warps of blocks
// do that go through a loop side by side, ask L2 as one: four of them at most (tests/model/halves.cu).
class L2Askers {
 public:
  void begin_launch(std::uint64_t side_by_side);
  void set_block(std::uint32_t cluster, bool another);
  // A warp of the block reads what is watched of a word, with these sectors of it, after so many other requests.
  void count(L2Page& page, std::uint64_t word, std::uint64_t bits, std::uint32_t warp,
             std::uint32_t requests);
  void take(L2Asked& to) {  // since the last call
    if (asked_.by_blocks) to += std::exchange(asked_, {});
  }

 private:
  std::uint64_t block_ = 1, wave_ = 1, side_by_side_ = 1, left_ = 0;
  std::uint32_t cluster_ = 0;
  L2Asked asked_;
};

// Programs walk through a few arrays at a time: the page last used of each.
class RecentPages {
 public:
  L2Page* find(std::uint64_t number) const {
    const Recent& recent = pages_[place_of(number)];
    return recent.number == number ? recent.page : nullptr;
  }
  void keep(std::uint64_t number, L2Page* page) { pages_[place_of(number)] = {number, page}; }
  void clear() { pages_.fill({}); }

 private:
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    L2Page* page = nullptr;
  };
  // Arrays that a kernel walks through side by side often lie a power of two apart: all bits count.
  static std::uint64_t place_of(std::uint64_t number) { return number * 0x9e3779b97f4a7c15u >> 60; }
  std::array<Recent, 16> pages_;
};

}  // namespace emu::observe
