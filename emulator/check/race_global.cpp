// SPDX-License-Identifier: MIT
// Accesses to global memory, whose sectors are kept as pieces (sectors.hpp): a warp that uses elements side by side is
// looked at sector by sector and not lane by lane.
#include <bit>

#include "check/races.hpp"

namespace emu::check {
namespace {

constexpr Bytes kWholeSector = ~Bytes{0};

constexpr std::uint8_t shift_of(std::uint32_t bytes) {
  return bytes <= 16 && std::has_single_bit(bytes)
             ? static_cast<std::uint8_t>(std::countr_zero(bytes))
             : Pattern::kOneLane;
}

constexpr Bytes bytes_between(std::uint64_t begin, std::uint64_t end) {
  const Bytes below = end >= kSectorBytes ? kWholeSector : (Bytes{1} << end) - 1;
  return below & kWholeSector << begin;
}

// Where lane 0 has its element, if each lane that takes part has the one behind that of the lane before; else 0.
std::uint64_t row_of(const observe::MemoryAccess& a) {
  if (shift_of(a.bytes_per_lane) == Pattern::kOneLane) return 0;
  const int first = std::countr_zero(a.mask);
  const std::uint64_t width = a.bytes_per_lane;
  const std::uint64_t base = a.addresses[first] - static_cast<std::uint64_t>(first) * width;
  std::uint64_t differs = base % width;
  for (std::uint64_t i = 0; i < kLanes; ++i) {
    const std::uint64_t part = std::uint64_t{0} - (a.mask >> i & 1);
    differs |= (a.addresses[i] ^ (base + i * width)) & part;
  }
  return differs ? 0 : base;
}

// Each bit of `lanes`, from bit 0 on, as 2^shift bits.
Bytes spread(Bytes lanes, std::uint8_t shift) {
  Bytes x = lanes;
  switch (shift) {
    case 0:
      return x;
    case 1:
      x = (x | x << 8) & 0x00ff00ff;
      x = (x | x << 4) & 0x0f0f0f0f;
      x = (x | x << 2) & 0x33333333;
      return ((x | x << 1) & 0x55555555) * 3;
    case 2:
      x = (x | x << 12) & 0x000f000f;
      x = (x | x << 6) & 0x03030303;
      return ((x | x << 3) & 0x11111111) * 15;
    case 3:
      x = (x | x << 14) & 0x00030003;
      return ((x | x << 7) & 0x01010101) * 255;
    default:
      return ((x | x << 15) & 0x00010001) * 65535;
  }
}

// The bytes of a sector that lanes use: `first` is the lane of its first byte, or of what would be.
Bytes bytes_of(LaneMask mask, std::int64_t first, std::uint8_t shift) {
  const std::uint32_t lanes = kSectorBytes >> shift;
  const LaneMask from = first >= 0 ? mask >> first : mask << -first;
  return spread(lanes == kSectorBytes ? from : from & ((1u << lanes) - 1), shift);
}

}  // namespace

void Races::forget_unused(Shared* shared) {
  Records& records = shared ? shared->records : records_;
  std::vector<std::uint32_t> kept(records.size());
  const auto all = [&](auto&& f) {
    if (shared) {
      shared->shadow.each_slot(f);
    } else {
      pages_.each_slot(f);
    }
  };
  const auto all_copies = [&](auto&& f) {
    for (KeptCopy& c : copies_) {
      if (c.from_shared.get() == shared) f(c.from);
      if (c.to_shared.get() == shared) f(c.to);
    }
  };
  all([&](Slot& slot) { kept[slot.record()] = 1; });
  all_copies([&](std::uint32_t record) { kept[record] = 1; });
  records.compact(kept);
  kept[0] = 0;
  all([&](Slot& slot) {
    if (slot) slot = slot.of_record(kept[slot.record()]);
  });
  all_copies([&](std::uint32_t& record) { record = kept[record]; });
  recent_ = {};
}

void Races::freed(std::uint64_t address, std::uint64_t bytes) {
  pages_.drop(address, bytes);
  std::erase_if(messages_, [&](const auto& m) { return m.first - address < bytes; });
}

void Races::use_global(Context& x, const observe::MemoryAccess& a) {
  if (records_.many()) [[unlikely]]
    forget_unused(nullptr);
  if (is_full(records_, running(*x.warp.block->grid))) return;
  std::uint32_t mine = record(x, records_, 0);
  if (!x.strong) {
    if (const std::uint64_t base = row_of(a)) return use_row(x, a, base, mine);
  }
  for (LaneMask m = a.mask; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    use_range(x, lane, a.addresses[lane], a.bytes_per_lane, mine);
    const Place place{a.addresses[lane], a.bytes_per_lane, nullptr};
    if (x.strong && synchronise(x, lane, place, nullptr)) mine = record(x, records_, 0);
  }
}

void Races::use_row(Context& x, const observe::MemoryAccess& a, std::uint64_t base,
                    std::uint32_t record) {
  const std::uint64_t width = a.bytes_per_lane;
  const std::uint8_t shift = shift_of(a.bytes_per_lane);
  const std::uint64_t begin = base + static_cast<unsigned>(std::countr_zero(a.mask)) * width;
  const std::uint64_t end = base + static_cast<unsigned>(kLanes - std::countl_zero(a.mask)) * width;
  const bool whole = a.mask == exec::kAllLanes;
  for (std::uint64_t at = begin / kSectorBytes * kSectorBytes; at < end; at += kSectorBytes) {
    const std::int64_t first = static_cast<std::int64_t>(at - base) >> shift;
    const Bytes bytes = whole ? bytes_between(at < begin ? begin - at : 0, end - at)
                              : bytes_of(a.mask, first, shift);
    if (bytes == 0) continue;
    const Slot slot(record, static_cast<int>(first & (kLanes - 1)), x.writes, false);
    use_part(x, at, bytes, {slot, shift});
  }
}

// One lane, or one asynchronous copy.
void Races::use_range(Context& x, int lane, std::uint64_t at, std::uint32_t bytes,
                      std::uint32_t record) {
  const Slot me(record, lane, x.writes, x.wide);
  const bool in_words = (at | bytes) % 4 == 0;
  for (const std::uint64_t end = at + bytes; at < end;) {
    const std::uint64_t start = at / kSectorBytes * kSectorBytes;
    const unsigned from = static_cast<unsigned>(at - start);
    const unsigned to = static_cast<unsigned>(std::min<std::uint64_t>(end - start, kSectorBytes));
    at = start + to;
    Pages::Page& page = pages_.of(start);
    const std::size_t sector = Pages::sector_of(start);
    Cell* cells = in_words ? pages_.words_if(page, sector) : nullptr;
    if (in_words && !cells) [[unlikely]]
      cells = pages_.words(page, sector);
    if (!cells) {
      const bool odd = start + from + bytes != end || to - from != bytes;
      const std::uint8_t shift = odd ? Pattern::kOneLane : shift_of(bytes);
      use_chunks(x, start, bytes_between(from, to), Pattern::of(me, from, shift));
      continue;
    }
    for (unsigned w = from / 4; w < to / 4; ++w) {
      if (!x.strong && x.access && quick(x, lane, cells[w], me, records_)) continue;
      touch(x, lane, cells[w], me, records_, {start + 4 * w, 4, nullptr});
    }
  }
}

// Neighbouring lanes on the bytes of one sector.
void Races::use_part(Context& x, std::uint64_t start, Bytes bytes, const Pattern& me) {
  Pages::Page& page = pages_.of(start);
  const std::size_t sector = Pages::sector_of(start);
  Cell* const cells = me.shift >= 2 ? pages_.words_if(page, sector) : nullptr;
  if (cells) {
    for (unsigned w = 0; w < kSectorWords; ++w) {
      if (!(bytes >> 4 * w & 1)) continue;
      const Slot slot = me.at(4 * w);
      if (quick(x, slot.lane(), cells[w], slot, records_)) continue;
      touch(x, slot.lane(), cells[w], slot, records_, {start + 4 * w, 4, nullptr});
    }
    if (!x.writes || bytes != kWholeSector) return;
    Piece piece;  // nothing is left of what was there
    piece.bytes = bytes;
    piece.set(0, me);
    return pages_.put(page, sector, piece);
  }
  const Pages::Pieces pieces = pages_.pieces(page, sector);
  if (pieces.count == 1 && pieces.begin()->bytes == bytes && quick_piece(x, *pieces.begin(), me))
      [[likely]]
    return;
  std::array<Piece, kSectorBytes> old;
  std::copy(pieces.begin(), pieces.end(), old.begin());
  Bytes rest = bytes;
  for (std::size_t i = 0; i < pieces.count && rest; ++i) {
    Piece piece = old[i];
    piece.bytes &= bytes;
    if (piece.bytes == 0) continue;
    rest &= ~piece.bytes;
    if (quick_piece(x, piece, me)) {
      pages_.put(page, sector, piece);
    } else {
      use_chunks(x, start, piece.bytes, me);
    }
  }
  if (rest == 0) return;
  Piece piece;
  piece.bytes = rest;
  piece.set(x.writes ? 0 : 1, me);
  pages_.put(page, sector, piece);
}

// Whether all of an access comes before what the lanes do now, each on its bytes.
bool Races::before(Context& x, const Pattern& other, const Pattern& me) {
  const std::uint32_t number = other.slot.record();
  if (number == x.ordered) return true;
  const Record& r = records_[number];
  if (is_other(x, r)) [[unlikely]] {
    const std::uint32_t operation = sites_[r.site].operation;
    const bool known =
        orders.within(operation, x.launch().before) ||
        (clocks.several() && ((!r.agent && clocks.block_knows(x.me, r.warp, r.time)) ||
                              clocks.view_knows_operation(x.me.block->view, operation, orders)));
    if (known) x.ordered = number;
    return known;
  }
  if (r.agent) return false;
  if (r.warp == x.me.warp->number) {
    if (other.shift == me.shift && other.slot.lane() == me.slot.lane()) return true;
    if (r.time > x.me.warp->floor && r.time > x.me.block->floor) return false;
  } else if (!(r.time <= x.me.block->floor && in_my_block(x, r.warp)) &&
             !clocks.block_knows(x.me, r.warp, r.time)) {
    return false;
  }
  x.ordered = number;
  return true;
}

// Whether the lanes needed no more than a look at a piece, which is updated then.
bool Races::quick_piece(Context& x, Piece& piece, const Pattern& me) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Pattern other = piece.get(i);
    if (!other || other == me || (!x.writes && !other.slot.writes())) continue;
    if (!before(x, other, me)) return false;
  }
  if (x.writes) {
    piece.set(0, me);
    piece.set(1, {});
    piece.set(2, {});
    return true;
  }
  for (const std::size_t i : {1u, 2u}) {
    const Pattern other = piece.get(i);
    if (other && other != me) continue;
    piece.set(i, me);
    return true;
  }
  for (const std::size_t i : {1u, 2u}) {
    const Pattern other = piece.get(i);
    if (other.slot.writes() || !before(x, other, me)) continue;
    piece.set(i, me);
    return true;
  }
  const auto likeness = [&](std::size_t i) {
    const Record& r = records_[piece.slots[i].record()];
    return r.warp == x.me.warp->number ? 2 : in_my_block(x, r.warp) ? 1 : 0;
  };
  piece.set(likeness(2) >= likeness(1) ? 2 : 1, me);
  return true;
}

// Bytes of one lane of which the same is known, one after the other.
void Races::use_chunks(Context& x, std::uint64_t start, Bytes bytes, const Pattern& me) {
  Pages::Page& page = pages_.of(start);
  const std::size_t sector = Pages::sector_of(start);
  while (bytes) {
    const unsigned first = static_cast<unsigned>(std::countr_zero(bytes));
    Piece piece;
    piece.bytes = bytes;
    for (const Piece& p : pages_.pieces(page, sector)) {
      if (p.bytes >> first & 1) {
        piece = p;
        break;
      }
      piece.bytes &= ~p.bytes;
    }
    const Slot slot = me.at(first);
    const Cell old = piece.cell(first);
    unsigned end = first + 1;
    while (end < kSectorBytes && (piece.bytes & bytes) >> end & 1 && me.at(end) == slot &&
           piece.cell(end) == old) {
      ++end;
    }
    Cell cell = old;
    touch(x, slot.lane(), cell, slot, records_, {start + first, end - first, nullptr});
    Piece next;
    next.bytes = bytes_between(first, end);
    const std::array<Slot, 3> now{cell.write, cell.other[0], cell.other[1]};
    const std::array<Slot, 3> was{old.write, old.other[0], old.other[1]};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!now[i]) continue;
      Pattern pattern = me;
      for (std::size_t k = 0; k < 3 && now[i] != slot; ++k) {
        if (was[k] == now[i]) pattern = piece.get(k);
      }
      next.set(i, pattern);
    }
    pages_.put(page, sector, next);
    bytes &= ~next.bytes;
  }
}

}  // namespace emu::check
