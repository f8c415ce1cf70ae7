// SPDX-License-Identifier: MIT
#include "shadow/sectors.hpp"

#include <algorithm>
#include <cstring>

#include "shadow/pages.hpp"

namespace emu::check {
namespace {

constexpr std::uint32_t units_of(std::size_t bytes) {
  return static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t));
}
constexpr std::uint32_t kPieceUnits = units_of(sizeof(Piece));
constexpr std::uint32_t kWordsUnits = units_of(kSectorWords * sizeof(Cell));
static_assert(sizeof(Piece) == 20 && alignof(Piece) == 4 && sizeof(Cell) == 12);

}  // namespace

// ---- room

std::uint32_t Arena::take(std::uint32_t units) {
  if (std::uint32_t& first = free_[units]) {
    const std::uint32_t at = first - 1;
    first = *(*this)[at];
    return at;
  }
  if (next_ % kChunk + units > kChunk) next_ = (next_ / kChunk + 1) * kChunk;
  if (next_ / kChunk >= chunks_.size()) {
    chunks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(kChunk));
  }
  const std::uint32_t at = next_;
  next_ += units;
  return at;
}

void Arena::give(std::uint32_t at, std::uint32_t units) {
  *(*this)[at] = free_[units];
  free_[units] = at + 1;
}

void Arena::clear() {
  next_ = 0;
  free_ = {};
}

// ---- pages

Pages::Page& Pages::find(std::uint64_t number) {
  auto& page = pages_[number];
  if (!page) page = std::make_unique<Page>();
  return *page;
}

Pages::Page* Pages::used(std::uint64_t address) {
  const auto it = pages_.find(address / kPage);
  return it == pages_.end() || it->second->era != era_ ? nullptr : it->second.get();
}

void Pages::forget() {
  ++era_;
  arena_.clear();
  words_ = 0;
}

void Pages::drop(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0) return;
  const auto give_back = [&](const std::unique_ptr<Page>& page) {
    if (page->era != era_) return;
    for (std::size_t s = 0; s < kSectors; ++s) {
      if (page->count[s] == kWords) {
        drop_words(*page, s);
      } else if (page->count[s]) {
        arena_.give(page->at[s], page->count[s] * kPieceUnits);
      }
    }
  };
  erase_pages(pages_, address / kPage, (address + bytes - 1) / kPage, give_back);
  recent_ = {};
}

// Whether pieces take so much, because bytes are used in no order at all, that no sector may have more of them than it
// has: so the checks stay below four times what the program has touched. Words do without this.
bool Pages::crowded() const {
  constexpr std::uint64_t kBase = 1 << 18, kEach = kSectorBytes * 11 / 4;
  const std::uint64_t others =
      pages_.size() * kSectors - std::min(words_, pages_.size() * kSectors);
  return arena_.bytes() > kBase + words_ * kWordsUnits * 4 + others * kEach;
}

// ---- sectors

// Pieces of what was kept word by word.
void Pages::part_words(Page& page, std::size_t sector) {
  std::array<Cell, kSectorWords> words;
  std::copy_n(words_if(page, sector), kSectorWords, words.begin());
  drop_words(page, sector);
  std::array<Piece, kSectorWords> made;
  std::size_t count = 0;
  for (unsigned w = 0; w < kSectorWords; ++w) {
    const Cell& cell = words[w];
    if (cell == Cell{}) continue;
    Piece piece;
    piece.bytes = 0xfu << 4 * w;
    piece.set(0, Pattern::of(cell.write, 4 * w, 2));
    piece.set(1, Pattern::of(cell.other[0], 4 * w, 2));
    piece.set(2, Pattern::of(cell.other[1], 4 * w, 2));
    const auto end = made.begin() + static_cast<std::ptrdiff_t>(count);
    const auto like = std::find_if(made.begin(), end, [&](auto& p) { return p.alike(piece); });
    if (like != end) {
      like->bytes |= piece.bytes;
    } else {
      made[count++] = piece;
    }
  }
  keep(page, sector, made.data(), count);
}

void Pages::keep(Page& page, std::size_t sector, const Piece* pieces, std::size_t count) {
  if (page.count[sector] != count) {
    if (page.count[sector]) arena_.give(page.at[sector], page.count[sector] * kPieceUnits);
    if (count) page.at[sector] = arena_.take(static_cast<std::uint32_t>(count) * kPieceUnits);
    page.count[sector] = static_cast<std::uint8_t>(count);
  }
  if (count) std::memcpy(arena_[page.at[sector]], pieces, count * sizeof(Piece));
}

void Pages::keep_words(Page& page, std::size_t sector, const Cell* cells) {
  if (page.count[sector]) arena_.give(page.at[sector], page.count[sector] * kPieceUnits);
  page.count[sector] = kWords;
  page.at[sector] = arena_.take(kWordsUnits);
  std::memcpy(arena_[page.at[sector]], cells, kSectorWords * sizeof(Cell));
  ++words_;
}

void Pages::drop_words(Page& page, std::size_t sector) {
  arena_.give(page.at[sector], kWordsUnits);
  page.count[sector] = 0;
  --words_;
}

void Pages::put(Page& page, std::size_t sector, Piece piece) {
  if (page.count[sector] == kWords && piece.bytes == ~Bytes{0}) drop_words(page, sector);
  const Pieces old = pieces(page, sector);
  if (old.count == 1 && (old.begin()->bytes & ~piece.bytes) == 0) {  // nearly always
    *old.begin() = piece;
    return;
  }
  std::array<Piece, kMostPieces + 1> all;
  std::size_t count = 0;
  for (Piece& p : old) {
    p.bytes &= ~piece.bytes;
    if (p.bytes == 0) continue;
    if (p.alike(piece)) {
      piece.bytes |= p.bytes;
    } else {
      all[count++] = p;
    }
  }
  all[count++] = piece;
  if (count > kFewPieces) {
    std::array<Cell, kSectorWords> cells;
    if (to_words(all.data(), count, cells.data())) return keep_words(page, sector, cells.data());
  }
  if (count > old.count && old.count && crowded()) {  // the oldest go
    dropped_ = true;
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::copy(end - old.count, end, all.begin());
    count = old.count;
  }
  keep(page, sector, all.data(), count);
}

bool Pages::to_words(const Piece* pieces, std::size_t count, Cell* cells) const {
  for (std::size_t i = 0; i < count; ++i) {
    const Piece& piece = pieces[i];
    for (std::size_t k = 0; k < 3; ++k) {
      if (piece.slots[k] && piece.shifts[k] < 2) return false;
    }
    for (unsigned w = 0; w < kSectorWords; ++w) {
      const Bytes part = piece.bytes >> 4 * w & 0xf;
      if (part == 0) continue;
      if (part != 0xf) return false;
      cells[w] = piece.cell(4 * w);
    }
  }
  return true;
}

Cell* Pages::words(Page& page, std::size_t sector) {
  if (Cell* const cells = words_if(page, sector)) return cells;
  std::array<Cell, kSectorWords> cells;
  const Pieces old = pieces(page, sector);
  if (!to_words(old.begin(), old.count, cells.data())) return nullptr;
  keep_words(page, sector, cells.data());
  return words_if(page, sector);
}

Cell Pages::cell(Page& page, std::size_t sector, unsigned byte) {
  if (const Cell* const cells = words_if(page, sector)) return cells[byte / 4];
  for (const Piece& piece : pieces(page, sector)) {
    if (piece.bytes >> byte & 1) return piece.cell(byte);
  }
  return {};
}

}  // namespace emu::check
