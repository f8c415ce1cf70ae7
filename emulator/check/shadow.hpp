// SPDX-License-Identifier: MIT
// Who used which bytes last: three accesses are kept of every word (of every byte, where bytes are used).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "check/clocks.hpp"

namespace emu::check {

// The accesses of one warp by one instruction between two points where it passes something on.
struct Record {
  Time time = 0;
  std::uint32_t warp = 0;   // of the launch
  std::uint32_t site = 0;   // Sites
  std::uint32_t agent = 0;  // of an asynchronous copy, until its thread has waited for it
};

class Records {
 public:
  static constexpr std::uint32_t kMost = (1u << 25) - 1;
  Records() { clear(); }
  void clear() { all_.assign(1, {}); }
  bool full() const { return all_.size() > kMost; }
  std::uint32_t add(const Record& record) {
    all_.push_back(record);
    return static_cast<std::uint32_t>(all_.size() - 1);
  }
  Record& operator[](std::uint32_t i) { return all_[i]; }
  const Record& operator[](std::uint32_t i) const { return all_[i]; }

 private:
  std::vector<Record> all_;
};

// A record and a lane of it. 0: nobody. `wide`: it is atomic for all threads of the GPU.
class Slot {
 public:
  Slot() = default;
  Slot(std::uint32_t record, int lane, bool writes, bool wide)
      : bits_(record << 5 | static_cast<std::uint32_t>(lane) | (writes ? kWrites : 0) |
              (wide ? kWide : 0)) {}
  explicit operator bool() const { return bits_ != 0; }
  bool operator==(const Slot&) const = default;
  std::uint32_t record() const { return (bits_ & (kWide - 1)) >> 5; }
  int lane() const { return static_cast<int>(bits_ & 31); }
  bool writes() const { return bits_ & kWrites; }
  bool wide() const { return bits_ & kWide; }

 private:
  static constexpr std::uint32_t kWrites = 1u << 31, kWide = 1u << 30;
  std::uint32_t bits_ = 0;
};

struct Cell {
  Slot write;     // the last store or atomic
  Slot other[2];  // reads and atomics since, as different as possible
};

// The cells of a stretch of memory.
class Shadow {
 public:
  explicit Shadow(std::uint64_t bytes = 0) : cells_((bytes + 3) / 4) {}
  // The cells of some bytes; they are split first if the bytes are less than a word.
  struct Run {
    Cell* begin;
    Cell* end;
  };
  Run run(std::uint64_t at, std::uint32_t bytes) {
    const unsigned low = static_cast<unsigned>(at) | bytes;
    if (low & ((1u << shift_) - 1)) [[unlikely]]
      split(low & 1 ? 0 : 1);
    const std::uint64_t first = at >> shift_, last = (at + bytes - 1) >> shift_;
    if (last >= cells_.size()) return {nullptr, nullptr};
    return {cells_.data() + first, cells_.data() + last + 1};
  }
  // All cells, one per word; nullptr: they are finer.
  Cell* words() { return shift_ == 2 ? cells_.data() : nullptr; }
  std::size_t size() const { return cells_.size(); }
  std::uint32_t granule() const { return 1u << shift_; }
  std::uint64_t era = 0;

 private:
  void split(unsigned shift);

  unsigned shift_ = 2;
  std::vector<Cell> cells_;
};

// Of global memory: pages are made when they are first touched.
class Pages {
 public:
  static constexpr std::uint64_t kPage = 4096;
  Shadow& of(std::uint64_t address) {
    const std::uint64_t page = address / kPage;
    Entry& entry = recent_[page % recent_.size()];
    if (entry.page != page || !entry.shadow) [[unlikely]]
      entry = {page, &find(page)};
    if (entry.shadow->era != era_) [[unlikely]]
      renew(*entry.shadow);
    return *entry.shadow;
  }
  // All that happened before is over.
  void forget() { ++era_; }

 private:
  struct Entry {
    std::uint64_t page = 0;
    Shadow* shadow = nullptr;
  };
  Shadow& find(std::uint64_t page);
  void renew(Shadow& shadow);

  std::uint64_t era_ = 1;
  std::unordered_map<std::uint64_t, std::unique_ptr<Shadow>> pages_;
  std::array<Entry, 1024> recent_;
};

}  // namespace emu::check
