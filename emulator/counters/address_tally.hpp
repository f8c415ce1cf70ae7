// SPDX-License-Identifier: MIT
// How often atomics hit each address, each sector and each slice of the L2 cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

#include "counters/access_rules.hpp"

namespace emu::observe {

// How many atomics hit each address. Exact while they stay within kMostPages pages; beyond that the
// pages that were touched first are given up, with what was seen of them, so that memory is bounded:
// an address that comes back to such a page counts as a new one.
class AddressTally {
 public:
  static constexpr std::uint64_t kSlices = 96;     // of L2
  static constexpr std::size_t kMostPages = 8192;  // of 2 KiB each, which take 25 KiB here
  std::size_t pages() const { return pages_.size(); }

  static constexpr std::uint32_t kBurst = 4;

  // Adds the atomics of one warp instruction; `aggregated`: of which the compiler makes one.
  struct Added {
    std::uint32_t addresses = 0;  // different ones
    std::uint32_t most = 0;       // lanes on one of them
    std::uint32_t sectors = 0;    // as atomic_sectors() counts them
    std::uint64_t near = 0;       // as near_cost() wants it; 0: they lie farther apart
  };
  Added add(const MemoryAccess& access, bool aggregated = false);
  // What takes turns with atomics at a sector that has some: loads of what others change, and compare-and-swaps.
  void look(const Sectors& sectors);
  void swap(const MemoryAccess& access);
  void clear();
  struct Totals {
    std::uint64_t addresses = 0;         // different ones
    std::uint64_t most_lanes = 0;        // on one of them
    std::uint64_t most_requests = 0;     // on one of them
    std::uint64_t passes = 0;            // of all sectors
    std::uint64_t sector_passes = 0;     // of the sector that had most
    std::uint64_t looks = 0, swaps = 0;  // at the same one
    std::uint64_t slice_passes =
        0;  // of the slice that had most, less a part of what chance gave it
    std::uint64_t near_passes = 0;  // of the same slice in one KiB, where they were most
    std::uint64_t again =
        0;  // of all slices: for a word that more than kBurst lanes of a request name, all but the first
  };
  Totals totals() const;

 private:
  // An entry for every two bytes: no atomic is narrower.
  static constexpr std::uint64_t kPageBytes = kNearBytes, kGrain = 2;
  static constexpr std::uint64_t kEntries = kPageBytes / kGrain,
                                 kSectors = kPageBytes / kSectorBytes;
  // Both lie together: arrays of them would be a multiple of 4 KiB apart, where processors take a load for one of what was just
  // stored.
  struct Entry {
    std::uint64_t lanes = 0, requests = 0;
  };
  struct Page {
    std::array<Entry, kEntries> entries{};        // of requests that may name a word more than once
    std::array<std::uint64_t, kEntries> alone{};  // of others: lanes, and as many requests
    std::array<std::uint64_t, kSectors> passes{};  // of each sector
    std::array<std::uint32_t, kSectors> looks{}, swaps{};
    Entry& at(std::uint64_t address) { return entries[address % kPageBytes / kGrain]; }
    Entry all_of(std::size_t entry) const {
      return {entries[entry].lanes + alone[entry], entries[entry].requests + alone[entry]};
    }
    std::uint64_t& passes_at(std::uint64_t address) {
      return passes[address % kPageBytes / kSectorBytes];
    }
  };
  // The L2 cache works in slices side by side, and addresses are spread over them: what goes to one slice queues up there.
  // Nobody tells how, but atomics on an H200 show it. Pieces of 256 bytes take turns between two slices; after a KiB come two
  // others, and not before 8 KiB the first ones again.
  static constexpr std::uint64_t kPieceBytes = 256, kPairBytes = 1024;
  static std::uint64_t slice_of(std::uint64_t address) {
    const std::uint64_t pair = address / kPairBytes;
    std::uint64_t h = (pair / 8 + 1) * 0x9e3779b97f4a7c15u;
    const std::uint64_t of_pair = ((h ^ h >> 29) + pair % 8 * (kSlices / 2 / 8)) % (kSlices / 2);
    return 2 * of_pair + address / kPieceBytes % 2;
  }
  using Pieces = std::array<std::uint64_t, kPageBytes / kPieceBytes>;  // passes of each
  static Pieces pieces_of(const Page& page);
  // Of the same slice in one KiB: what cudaMalloc gives lies in its KiB as it does with CUDA's driver.
  static void note_near(std::uint64_t passes, Totals& totals) {
    totals.near_passes = std::max(totals.near_passes, passes);
  }
  using Slices = std::array<std::uint64_t, kSlices>;  // passes of each
  // The lanes of a request: all on one address, all in one page, or farther apart.
  Added add_lanes(const std::uint64_t* address, std::uint32_t n, const MemoryAccess& access);
  Added add_one(std::uint64_t address, std::uint32_t n);
  Added add_near(const std::uint64_t* address, std::uint32_t n);
  Added add_far(const MemoryAccess& access);
  static void add_apart(Page& page, const std::uint64_t* address, std::uint32_t n,
                        std::uint64_t near);
  void add_meeting(Page& page, const std::uint64_t* address, std::uint32_t n, Added& added);
  Page& page_of(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    return number == recent_number_ ? *recent_ : find_page(number);
  }
  Page& find_page(std::uint64_t number);
  void look_at(std::uint64_t sector);
  static void add_page(std::uint64_t number, const Page& page, Totals& totals, Slices& slices);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t recent_number_ = ~std::uint64_t{0};
  Page* recent_ = nullptr;
  std::array<std::uint8_t, kEntries> here_{};  // lanes of the request; 0 between requests
  std::uint64_t again_ = 0;
  bool aggregated_ = false;
  std::deque<std::uint64_t> oldest_;  // numbers of the pages, in the order in which they came
  Totals gone_;                       // of pages that were given up
  Slices gone_slices_{};
};

}  // namespace emu::observe
