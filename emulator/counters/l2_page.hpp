// SPDX-License-Identifier: MIT
// What Footprint keeps of 128 KiB of memory, and of a set of the L2 cache.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "counters/access_rules.hpp"

namespace emu::observe {

// A bit for each sector, 64 in a word.
struct L2Page {
  static constexpr std::uint32_t kWords = 64, kSectors = kWords * 64;
  using Words = std::array<std::uint64_t, kWords>;
  Words read{}, written{};  // by this launch
  Words dirty{};
  // Not in L2 when something was stored there, and not whole since; and what was stored to each of them so far, in bytes.
  Words part{};
  std::unique_ptr<std::array<std::uint8_t, kSectors>> stored;
  Words coming{};  // from DRAM, with a sector that was asked for: nobody has asked for these yet
  std::array<std::uint64_t, kWords> brought_by{};  // whose load that was
  std::array<Words, 2> in_half{};
  std::array<Words, 2> used{};              // since they were last looked at to make room
  std::array<std::uint64_t, 2> in_order{};  // words, a bit each: of L2Set
  std::uint64_t number = 0, home = 0;       // the half that each word is at home in
  bool touched = false;                     // by this launch

  std::uint32_t home_of(std::uint64_t word) const { return home >> word & 1; }
};

// Addresses are spread over sets, and what fits into one of them counts, not what fits into the whole.
struct L2Set {
  static constexpr std::uint64_t kLines = 1024;
  struct Place {
    L2Page* page;
    std::uint32_t word, half;
  };
  std::deque<Place> order;  // words of which something is in a half, as they came
  std::uint64_t lines = 0, dirty = 0,
                part = 0;   // lines; of which something is dirty; or written in part
  std::size_t cleaned = 0;  // of order: looked at to be cleaned
};

}  // namespace emu::observe
