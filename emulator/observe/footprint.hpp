// SPDX-License-Identifier: MIT
// What a launch leaves behind in global memory: which sectors it touched, and how often atomics hit
// each address.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "observe/access_rules.hpp"

namespace emu::observe {

// The set of sectors read and written, a bit each.
class Footprint {
 public:
  enum Use : std::uint8_t { Read = 1, Write = 2 };

  void add(const Sectors& sectors, std::uint8_t use);
  void add_range(std::uint64_t first, std::uint64_t count, std::uint8_t use);
  void clear();
  // Sectors that were used in one of the given ways.
  std::uint64_t count(std::uint8_t use) const;

 private:
  // 128 KiB of memory.
  static constexpr std::uint32_t kWords = 64, kSectors = kWords * 64;
  struct Page {
    std::array<std::uint64_t, kWords> read{}, written{};
  };
  static void mark(Page& page, std::uint32_t first, std::uint32_t count, std::uint8_t use);
  void add_bits(std::uint64_t sector, std::uint64_t bits, std::uint8_t use);
  Page& page_of(std::uint64_t sector);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  // Programs walk through a few arrays at a time: the page last used of each, by its low bits.
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };
  std::array<Recent, 16> recent_;
};

// How many atomics hit each address.
class AddressTally {
 public:
  // Adds the atomics of one warp instruction.
  struct Added {
    std::uint32_t addresses = 0;  // different ones
    std::uint32_t most = 0;       // lanes on one of them
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
    std::uint64_t last_request = 0;  // 0: none yet
    std::uint32_t requests = 0;
    std::uint32_t in_request = 0;  // lanes of the last one
  };
  // 2 KiB of memory, an entry for every two bytes: no atomic is narrower.
  static constexpr std::uint64_t kPageBytes = 2048, kGrain = 2;
  using Page = std::array<Entry, kPageBytes / kGrain>;
  void hit(Page& page, std::uint64_t address, std::uint32_t lanes, Added& added);
  Page& page_of(std::uint64_t address);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t recent_number_ = ~std::uint64_t{0};
  Page* recent_ = nullptr;
  std::uint64_t request_ = 0;
};

}  // namespace emu::observe
