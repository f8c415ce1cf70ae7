// SPDX-License-Identifier: MIT
// Who used which bytes last: three accesses are kept of every word (of every byte, where bytes are used). This is how
// shared memory is kept; sectors.hpp has global memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "shadow/clocks.hpp"

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
  explicit Records(std::uint32_t most = kMost) : most_(most) { clear(); }
  void clear() {
    size_ = 0;
    enough_ = kFew;
    add({});
  }
  bool full() const { return size_ > most_; }
  // Whether there are so many that it is worth a look which of them nobody means any more.
  bool many() const { return size_ > enough_; }
  std::uint32_t size() const { return size_; }
  std::uint32_t add(const Record& record) {
    if (size_ / kChunk >= chunks_.size()) {
      chunks_.push_back(std::make_unique_for_overwrite<Record[]>(kChunk));
    }
    (*this)[size_] = record;
    return size_++;
  }
  Record& operator[](std::uint32_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const Record& operator[](std::uint32_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  // Keeps those whose entry is not 0, and says there which number each of them has now.
  void compact(std::vector<std::uint32_t>& kept);

 private:
  // Small chunks: every block that runs has some, also if it has no shared memory.
  static constexpr std::uint32_t kChunk = 32, kFew = 1 << 15;
  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::uint32_t size_ = 0, enough_ = kFew, most_;
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
  // The same for another lane, so many further on.
  Slot moved(int lanes) const {
    Slot slot = *this;
    slot.bits_ = (bits_ & ~31u) | ((bits_ + static_cast<std::uint32_t>(lanes)) & 31u);
    return slot;
  }
  Slot of_record(std::uint32_t record) const {
    Slot slot = *this;
    slot.bits_ = (bits_ & (kWrites | kWide | 31u)) | record << 5;
    return slot;
  }
  // The same for another lane, if this is lane 0's.
  Slot of_lane(int lane) const {
    Slot slot = *this;
    slot.bits_ += static_cast<std::uint32_t>(lane);
    return slot;
  }

 private:
  static constexpr std::uint32_t kWrites = 1u << 31, kWide = 1u << 30;
  std::uint32_t bits_ = 0;
};

struct Cell {
  Slot write;     // the last store or atomic
  Slot other[2];  // reads and atomics since, as different as possible
  bool operator==(const Cell&) const = default;
};

template <class F>
void each_slot_of(Cell& cell, F&& f) {
  f(cell.write);
  f(cell.other[0]);
  f(cell.other[1]);
}

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
  template <class F>
  void each_slot(F&& f) {
    for (Cell& cell : cells_) each_slot_of(cell, f);
  }

 private:
  void split(unsigned shift);

  unsigned shift_ = 2;
  std::vector<Cell> cells_;
};

}  // namespace emu::check
