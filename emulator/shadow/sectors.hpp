// SPDX-License-Identifier: MIT
// Who used which bytes of global memory last, sector by sector.
//
// A warp mostly uses elements side by side, so that of a sector (32 bytes) one access says it all: its record, which
// lane used the first byte, and after how many bytes the next lane follows. A sector is kept as pieces, sets of bytes
// of which the same three accesses are known in that way; mostly it is one piece. A sector whose words were used in
// no such order is kept word by word. That is at most 3.2 bytes for each byte, where cells of single bytes took 12.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shadow/arena.hpp"
#include "shadow/shadow.hpp"

namespace emu::check {

constexpr std::uint32_t kSectorBytes = 32, kSectorWords = 8;
using Bytes = std::uint32_t;  // of a sector, a bit for each

// Accesses of neighbouring lanes to neighbouring bytes: byte b belongs to the slot's lane plus b >> shift, modulo 32.
struct Pattern {
  static constexpr std::uint8_t kOneLane = 5;
  Slot slot;
  std::uint8_t shift = kOneLane;
  bool operator==(const Pattern&) const = default;
  explicit operator bool() const { return static_cast<bool>(slot); }
  Slot at(unsigned byte) const { return slot ? slot.moved(static_cast<int>(byte >> shift)) : slot; }
  // The access of one lane to 2^shift bytes, the first of which is `byte`.
  static Pattern of(Slot slot, unsigned byte, std::uint8_t shift) {
    return {slot ? slot.moved(-static_cast<int>(byte >> shift)) : slot, shift};
  }
};

struct Piece {
  Bytes bytes = 0;
  std::array<Slot, 3> slots;  // the last write, two others: a Cell
  std::array<std::uint8_t, 4> shifts{};
  Pattern get(std::size_t i) const { return {slots[i], shifts[i]}; }
  void set(std::size_t i, const Pattern& p) {
    slots[i] = p.slot;
    shifts[i] = p ? p.shift : std::uint8_t{0};
  }
  bool alike(const Piece& other) const { return slots == other.slots && shifts == other.shifts; }
  Cell cell(unsigned byte) const { return {get(0).at(byte), {get(1).at(byte), get(2).at(byte)}}; }
};

class Pages {
 public:
  static constexpr std::uint64_t kPage = 4096;
  static constexpr std::size_t kSectors = kPage / kSectorBytes;
  struct Page {
    std::uint64_t era = 0;
    std::array<std::uint32_t, kSectors> at{};
    std::array<std::uint8_t, kSectors> count{};  // of pieces; 0: nobody has used it
  };
  static constexpr std::uint8_t kWords = 255;  // it is kept word by word

  Page& of(std::uint64_t address) {
    const std::uint64_t number = address / kPage;
    Entry& entry = recent_[number % recent_.size()];
    if (entry.number != number || !entry.page) [[unlikely]]
      entry = {number, &find(number)};
    if (entry.page->era != era_) [[unlikely]]
      *entry.page = {era_, {}, {}};
    return *entry.page;
  }
  // nullptr: nobody has used it.
  Page* used(std::uint64_t address);
  // All that happened before is over.
  void forget();
  // Nobody can use these bytes any more: a whole allocation. (Others lie further away than a page is long.)
  void drop(std::uint64_t address, std::uint64_t bytes);

  static std::size_t sector_of(std::uint64_t address) { return address % kPage / kSectorBytes; }
  // The cells of a sector, word by word, which it is made to be; nullptr: bytes of a word differ.
  Cell* words(Page& page, std::size_t sector);
  Cell* words_if(Page& page, std::size_t sector) {
    return page.count[sector] == kWords ? reinterpret_cast<Cell*>(arena_[page.at[sector]])
                                        : nullptr;
  }
  // The pieces of a sector, which it is made to be.
  struct Pieces {
    Piece* begin_;
    std::uint8_t count;
    Piece* begin() const { return begin_; }
    Piece* end() const { return begin_ + count; }
  };
  Pieces pieces(Page& page, std::size_t sector) {
    if (page.count[sector] == kWords) [[unlikely]]
      part_words(page, sector);
    const std::uint8_t count = page.count[sector];
    return {count ? reinterpret_cast<Piece*>(arena_[page.at[sector]]) : nullptr, count};
  }
  // Puts a piece in the place of what was known of its bytes.
  void put(Page& page, std::size_t sector, Piece piece);
  // Whether something was dropped since it was last asked, because it took too much.
  bool dropped() { return std::exchange(dropped_, false); }
  // What is known of a byte.
  Cell cell(Page& page, std::size_t sector, unsigned byte);
  std::uint64_t bytes() const { return arena_.bytes() + pages_.size() * sizeof(Page); }

  // Calls f(slot&) for all that are kept.
  template <class F>
  void each_slot(F&& f) {
    for (auto& [number, page] : pages_) {
      if (page->era != era_) continue;
      for (std::size_t s = 0; s < kSectors; ++s) {
        if (Cell* const cells = words_if(*page, s)) {
          for (std::size_t i = 0; i < kSectorWords; ++i) each_slot_of(cells[i], f);
        } else {
          for (Piece& piece : pieces(*page, s)) {
            for (Slot& slot : piece.slots) f(slot);
          }
        }
      }
    }
  }

 private:
  struct Entry {
    std::uint64_t number = 0;
    Page* page = nullptr;
  };
  Page& find(std::uint64_t number);
  void keep(Page& page, std::size_t sector, const Piece* pieces, std::size_t count);
  bool to_words(const Piece* pieces, std::size_t count, Cell* cells) const;
  void part_words(Page& page, std::size_t sector);
  void keep_words(Page& page, std::size_t sector, const Cell* cells);
  void drop_words(Page& page, std::size_t sector);
  // More pieces than few take more room than words.
  static constexpr std::size_t kFewPieces = 4, kMostPieces = 32;
  bool crowded() const;

  std::uint64_t era_ = 1;
  bool dropped_ = false;
  std::uint64_t words_ = 0;  // sectors that are kept word by word
  Arena arena_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Entry, 1024> recent_;
};

}  // namespace emu::check
