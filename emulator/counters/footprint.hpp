// SPDX-License-Identifier: MIT
// What a launch leaves behind in global memory: which sectors it touched, and how often atomics hit
// each address.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "counters/access_rules.hpp"

namespace emu::observe {

// The set of sectors that a launch reads and writes, a bit each. What it or the launch before wrote is
// taken to be in L2, in pieces of 4 KiB.
class Footprint {
 public:
  enum Use : std::uint8_t { Read = 1, Write = 2 };

  void add(const Sectors& sectors, std::uint8_t use) {
    if (sectors.form != Sectors::Form::Run) return add_others(sectors, use);
    const std::uint64_t bits = (std::uint64_t{1} << sectors.count) - 1;  // at most 33 of them
    const std::uint64_t bit = sectors.first % 64, word = sectors.first - bit;
    add_bits(word, bits << bit, use);
    if (bit && bits >> (64 - bit)) add_bits(word + 64, bits >> (64 - bit), use);
  }
  // The same for `count` sectors from a line's first on, at most 32. Returns in_l2() of the first, as
  // it was before.
  bool add_run(std::uint64_t first, std::uint32_t count, std::uint8_t use) {
    Page& page = page_of(first);
    const std::uint64_t word = first % kSectors / 64, bit = first % 64;
    const bool known = in_l2(page, word);
    const std::uint64_t bits = (std::uint64_t{1} << count) - 1;
    if (bit + count > 64) [[unlikely]] {
      add_bits(first - bit, bits << bit, use);
      add_bits(first - bit + 64, bits >> (64 - bit), use);
    } else {
      (use & Write ? page.written : page.read)[word] |= bits << bit;
    }
    return known;
  }
  bool in_l2(std::uint64_t sector) { return in_l2(page_of(sector), sector % kSectors / 64); }
  void add_range(std::uint64_t first, std::uint64_t count, std::uint8_t use);
  void begin_launch();
  // Sectors that were used in one of the given ways.
  std::uint64_t count(std::uint8_t use) const;
  // Sectors that were read, in pieces that the launch before wrote.
  std::uint64_t count_read_in_l2() const;

 private:
  // 128 KiB of memory.
  static constexpr std::uint32_t kWords = 64, kSectors = kWords * 64;
  struct Page {
    std::array<std::uint64_t, kWords> read{}, written{};
    std::uint32_t before = 0;  // the pieces that the launch before wrote
  };
  // A piece is two words.
  static bool in_l2(const Page& page, std::uint64_t word) {
    return (page.written[word] | page.written[word ^ 1]) || page.before >> word / 2 & 1;
  }
  static void mark(Page& page, std::uint32_t first, std::uint32_t count, std::uint8_t use);
  void add_others(const Sectors& sectors, std::uint8_t use);
  // Bits of the word that holds `sector`, counted from it on.
  void add_bits(std::uint64_t sector, std::uint64_t bits, std::uint8_t use) {
    Page& page = page_of(sector);
    const std::uint64_t word = sector % kSectors / 64;
    bits <<= sector % 64;
    if (use & Read) page.read[word] |= bits;
    if (use & Write) page.written[word] |= bits;
  }
  Page& page_of(std::uint64_t sector) {
    const std::uint64_t number = sector / kSectors;
    const Recent& recent = recent_[place_of(number)];
    return recent.number == number ? *recent.page : find_page(number);
  }
  Page& find_page(std::uint64_t number);
  // Arrays that a kernel walks through side by side often lie a power of two apart: all bits count.
  static std::uint64_t place_of(std::uint64_t number) {
    return (number ^ number >> 4 ^ number >> 8 ^ number >> 12) % 16;
  }

  using Pages = std::unordered_map<std::uint64_t, std::unique_ptr<Page>>;
  Pages pages_, pages_before_;
  // Programs walk through a few arrays at a time: the page last used of each.
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };
  std::array<Recent, 16> recent_;
};

// How many atomics hit each address. Exact while they stay within kMostPages pages; beyond that the
// pages that were touched first are given up, with what was seen of them, so that memory is bounded:
// an address that comes back to such a page counts as a new one.
class AddressTally {
 public:
  static constexpr std::size_t kMostPages = 8192;  // of 2 KiB each, which take 24 KiB here
  std::size_t pages() const { return pages_.size(); }

  // Adds the atomics of one warp instruction.
  struct Added {
    std::uint32_t addresses = 0;  // different ones
    std::uint32_t most = 0;       // lanes on one of them
    std::uint32_t sectors = 0;    // as atomic_sectors() counts them
    std::uint64_t near = 0;       // as near_cost() wants it; 0: they lie farther apart
  };
  Added add(const MemoryAccess& access);
  void clear();
  struct Totals {
    std::uint64_t addresses = 0;      // different ones
    std::uint64_t most_lanes = 0;     // on one of them
    std::uint64_t most_requests = 0;  // on one of them
  };
  Totals totals() const;

 private:
  struct Entry {
    std::uint64_t lanes = 0;
    std::uint64_t last = 0;  // number of the last request (0: none yet) * 64 + its lanes
    std::uint64_t requests = 0;
  };
  // An entry for every two bytes: no atomic is narrower.
  static constexpr std::uint64_t kPageBytes = kNearBytes, kGrain = 2;
  using Page = std::array<Entry, kPageBytes / kGrain>;
  Added add_lanes(const std::uint64_t* address, std::uint32_t n, const MemoryAccess& access);
  // Returns how many lanes of the request have hit this address.
  std::uint32_t hit(Page& page, std::uint64_t address, std::uint32_t lanes, Added& added);
  Page& page_of(std::uint64_t address);
  static void add_page(const Page& page, Totals& totals);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t recent_number_ = ~std::uint64_t{0};
  Page* recent_ = nullptr;
  std::uint64_t request_ = 0;
  std::deque<std::uint64_t> oldest_;  // numbers of the pages, in the order in which they came
  Totals gone_;                       // of pages that were given up
};

}  // namespace emu::observe
