// SPDX-License-Identifier: MIT
// Bits per sector.
#include "counters/caches/footprint.hpp"

#include <algorithm>

namespace emu::observe {
namespace {

constexpr std::uint64_t kRowSectors = Footprint::kRowBytes / kSectorBytes;
constexpr std::uint64_t kEven = 0x5555'5555'5555'5555u;

// The sectors of lines of which three are there.
std::uint64_t nearly_whole(std::uint64_t sectors) {
  const std::uint64_t a = sectors, b = sectors >> 1, c = sectors >> 2, d = sectors >> 3;
  constexpr std::uint64_t kFirstOfLine = 0x1111'1111'1111'1111u;
  return (((a & b & (c | d)) | (c & d & (a | b))) & kFirstOfLine) * L2Page::kWholeLine;
}

std::uint64_t count_of(std::uint64_t bits) {
  return static_cast<std::uint64_t>(std::popcount(bits));
}

// What comes from DRAM for these: in pairs.
std::uint64_t pairs_of(std::uint64_t sectors) {
  return sectors | (sectors & kEven) << 1 | (sectors & ~kEven) >> 1;
}

}  // namespace

bool Footprint::in_l2(std::uint64_t sector) {
  const Page& page = page_of(sector);
  const std::uint64_t word = sector % kSectors / 64;
  return page.words[word].in_half[page.home_of(word)] >> sector % 64 & 1;
}

void Footprint::set_near(const L2Near& near, bool another_block) {
  half_ = near.half;
  askers_.set_block(near.cluster, another_block);
  if (!another_block) return;
  ++blocks_;
  held_.next_block();
  requests_.fill(0);
}

std::uint8_t Footprint::part_of(const MemoryAccess& store, const GlobalCost& cost) {
  store_ = &store;
  parts_ = {};
  return cost.places * store.bytes_per_lane < cost.sectors * kSectorBytes ? Part : 0;
}

void Footprint::set_capacity(std::uint64_t bytes) { held_.set_capacity(bytes, pages_); }

Footprint::Page& Footprint::find_page(std::uint64_t number) {
  auto& page = pages_[number];
  if (!page) {
    page = std::make_unique<Page>();
    page->number = number;
    page->home = homes_of(number);
  }
  if (!page->touched) {
    page->touched = true;
    touched_.push_back(page.get());
  }
  recent_.keep(number, page.get());
  return *page;
}

// Of sectors that came with others, those that are still on their way: warps of a block ask at about the same time. A warp that
// has asked itself has waited for its data since, unless it slides along: a later instruction asks for the same and one more.
std::uint32_t Footprint::late(Page& page, std::uint64_t word, std::uint64_t bits,
                              std::uint64_t fresh) {
  const std::uint64_t first_asked = bits & page.words[word].coming, by = page.brought_by[word];
  page.words[word].coming &= ~bits;
  const std::uint64_t of_dram = first_asked & ~page.words[word].crossing;
  if (by / kWarpLanes != blocks_) {
    // A block that runs at the same time and asks for both of a pair comes before one that asks for half of it further on.
    if (blocks_ - by / kWarpLanes >= side_by_side_ || instruction_ >= page.brought_with[word])
      return 0;
    const auto both = static_cast<std::uint32_t>(count_of(of_dram & pairs_of(bits & ~first_asked)));
    missed_ += both;
    return both;
  }
  const bool itself = by % kWarpLanes == warp_ % kWarpLanes;
  const bool slides = run_ && instruction_ > page.brought_with[word] && first_asked == fresh;
  if (itself && !slides) return 0;
  on_their_way_ += count_of(first_asked);
  return itself ? 0 : static_cast<std::uint32_t>(count_of(of_dram));
}

// Sectors that come with those that were asked for. With three sectors of a line the fourth is there as soon as they are.
void Footprint::bring(Page& page, std::uint64_t word, std::uint64_t along, std::uint64_t asked) {
  page.words[word].coming |= along & ~nearly_whole(asked);
  page.brought_by[word] = blocks_ * kWarpLanes + warp_ % kWarpLanes;
  page.brought_with[word] = instruction_;
}

// What multiprocessors of the half where it is at home change is worth nothing in the other one: in pairs.
void Footprint::spoil(Page& page, std::uint64_t word, std::uint64_t bits) {
  const std::uint64_t copies = pairs_of(bits) & page.words[word].in_half[1 - page.home_of(word)];
  if (!copies) return;
  page.stale[word] |= copies;
  page.words[word].coming |= copies;
}

// What an atomic changes first leaves the half where it is not at home, whoever has asked for it: in pairs. So a table that is filled in
// place by all takes no more room than it has bytes (tests/timing_set: `hashfills_packed`).
void Footprint::throw_out(Page& page, std::uint64_t word, std::uint64_t bits) {
  const std::uint32_t other = 1 - page.home_of(word);
  const std::uint64_t copies = pairs_of(bits) & page.words[word].in_half[other];
  if (!copies) return;
  held_.drop(page, word, copies, other);
  page.stale[word] &= ~copies;
  page.thrown_out[word] |= copies;
}

// Copies that are worth nothing, and wanted: they come again.
void Footprint::refresh(Page& page, std::uint64_t word, std::uint64_t bits) {
  const std::uint64_t again = bits & page.stale[word];
  asked_again_ += count_of(again & page.words[word].in_half[1 - page.home_of(word)]);
  page.stale[word] &= ~again;
  page.words[word].coming &= ~again;
}

// Sectors that the half which is asked has not got.
std::uint32_t Footprint::ask(Page& page, std::uint64_t word, std::uint64_t bits,
                             std::uint64_t fresh, std::uint32_t half) {
  if (page.stale[word] & bits) {
    if (half != page.home_of(word)) refresh(page, word, bits);
    fresh &= ~(page.stale[word] & page.words[word].in_half[half]);
  }
  const std::uint32_t waited = page.words[word].coming & fresh ? late(page, word, bits, fresh) : 0;
  fresh &= ~page.words[word].in_half[half];
  if (!fresh) return waited;
  const std::uint32_t home = page.home_of(word);
  const std::uint64_t absent = fresh & ~page.words[word].in_half[home];
  const std::uint64_t come = pairs_of(absent) & ~page.words[word].in_half[home];
  if (come) {
    come_from_dram(page, word, come);
    page.words[word].crossing &= ~come;
    bring(page, word, come & ~fresh, fresh);
    held_.keep(page, word, come, home);
  }
  if (home != half) {
    // The neighbour of a sector comes along from the other half as well.
    const std::uint64_t found = fresh & ~absent;
    const std::uint64_t beside = across_ ? 0
                                         : pairs_of(found) & page.words[word].in_half[home] &
                                               ~page.words[word].in_half[half] & ~(fresh | come);
    const std::uint64_t known = found & page.thrown_before[word];
    page.thrown_before[word] &= ~known;
    asked_again_ += count_of((found | come) & ~known);
    came_along_ += count_of(beside | known);
    held_.use(page, word, fresh, home);
    page.words[word].crossing |= beside;
    if (beside) bring(page, word, beside, fresh);
    held_.keep(page, word, fresh | come | beside, half);
  }
  const auto missed = static_cast<std::uint32_t>(count_of(absent));
  missed_ += missed;
  return missed + waited;
}

std::uint32_t Footprint::other(Page& page, std::uint64_t word, std::uint64_t bits,
                               std::uint8_t use) {
  if (use & Write) return write(page, word, bits, use);
  if (use & First) {
    held_.leaves_first(true);
    const std::uint32_t missed = add_word(page, word, bits, use & ~First);
    held_.leaves_first(false);
    return missed;
  }
  const std::uint32_t home = page.home_of(word);
  if (use & Across) {
    // What is near is looked up at home all the same.
    if (half_ != home)
      came_along_ += count_of(bits & page.words[word].in_half[half_] & ~page.stale[word]);
    across_ = true;
    const std::uint32_t missed = add_word(page, word, bits, use & ~Across);
    across_ = false;
    return missed;
  }
  if (!(use & AtHome)) return add_word(page, word, bits, Read);
  page.words[word].read |= bits;
  held_.use(page, word, bits, home);
  const std::uint64_t fresh = bits & ~page.words[word].in_half[home];
  return fresh ? ask(page, word, bits, fresh, home) : 0;
}

// Stored at home, and if the sectors are whole, kept in the half of the multiprocessor that stores too (tests/model/l2.cu).
// A copy in the other half counts as found where a kernel before or a multiprocessor of that half has written, although its data
// come from home (Nsight Compute counts no misses when what was stored or swapped is read by a later launch), and is worth nothing
// any more where something else does. An atomic reads as well, and is made at home.
std::uint32_t Footprint::write(Page& page, std::uint64_t word, std::uint64_t bits,
                               std::uint8_t use) {
  const std::uint32_t home = page.home_of(word);
  if (use & Host) {
    // What L2 has not got goes to DRAM (tests/counters/uploads.cu; of 4 to 48 MiB an H200 had at most the last one).
    held_.drop(page, word, bits, 1 - home);
    bits &= page.words[word].in_half[home];
    if (!bits) return 0;
  }
  page.words[word].written |= bits;
  held_.use(page, word, bits, home);
  held_.asks_together();
  const std::uint64_t absent = bits & ~page.words[word].in_half[home];
  if (use & Read)
    throw_out(page, word, bits);
  else if (half_ == home && !(use & NoKernel))
    spoil(page, word, bits);
  if (use & Read) {
    page.words[word].read |= bits;
    const std::uint32_t missed = absent ? ask(page, word, bits, absent, home) : 0;
    atomics_missed_ += missed;
    held_.soil(page, word, bits);
    return missed;
  }
  if (use & NoKernel) {
    held_.drop(page, word, bits, 1 - home);
    page.thrown_out[word] &= ~bits;
    page.thrown_before[word] &= ~bits;
  } else if (half_ != home) {
    held_.use(page, word, bits, half_);
    const std::uint64_t fresh = use & Part ? 0 : bits & ~page.words[word].in_half[half_];
    if (fresh) held_.keep(page, word, fresh, half_);
  }
  held_.first_written(count_of(absent));
  if (absent) held_.keep(page, word, absent, home);
  if (page.words[word].part & bits) held_.leave_in_part(page, word, bits, instruction_);
  held_.soil(page, word, bits);
  if ((use & Part ? absent : 0) | (page.words[word].part & bits))
    store_part(page, word, bits, use, absent);
  return 0;
}

// Of what is in L2 already nothing is missing.
void Footprint::store_part(Page& page, std::uint64_t word, std::uint64_t bits, std::uint8_t use,
                           std::uint64_t absent) {
  std::uint64_t part = page.words[word].part;
  if (!page.stored) page.stored = std::make_unique<std::array<std::uint8_t, kSectors>>();
  if (use & Part && parts_.empty()) parts_ = written_parts(*store_, room_for_parts_);
  const std::uint64_t first = page.number * kSectors + word * 64;
  std::size_t at = 0;  // in parts_: most are in order
  for (std::uint64_t left = bits & (part | absent); left; left &= left - 1) {
    const auto bit = static_cast<std::uint64_t>(std::countr_zero(left));
    const std::uint64_t one = std::uint64_t{1} << bit;
    std::uint8_t& stored = (*page.stored)[word * 64 + bit];
    if (!(part & one)) stored = 0;
    for (std::size_t tried = 0;
         use & Part && tried < parts_.size() && parts_[at].sector != first + bit; ++tried)
      at = (at + 1) % parts_.size();
    const std::uint32_t more = use & Part ? parts_[at].bytes : kSectorBytes;
    stored = static_cast<std::uint8_t>(std::min<std::uint32_t>(kSectorBytes, stored + more));
    part = stored == kSectorBytes ? part & ~one : part | one;
  }
  held_.set_part(page, word, part, instruction_);
}

void Footprint::come_from_dram(Page& page, std::uint64_t word, std::uint64_t come) {
  from_dram_ += count_of(come);
  if (open_rows_.empty()) open_rows_.assign(kBanks, ~std::uint64_t{0});
  const std::uint64_t first = (page.number * kWords + word) * (64 / kRowSectors);
  for (std::uint64_t i = 0; come; ++i, come >>= kRowSectors) {
    if (!(come & ((std::uint64_t{1} << kRowSectors) - 1))) continue;
    const std::uint64_t row = first + i;
    std::uint64_t& open = open_rows_[(row * 0x9e3779b97f4a7c15u >> 32) % kBanks];
    rows_opened_ += open != row;
    open = row;
  }
}

std::uint64_t Footprint::add_range(std::uint64_t first, std::uint64_t count, std::uint8_t use) {
  std::uint64_t missed = 0;
  while (count) {
    const std::uint64_t bit = first % 64, n = std::min<std::uint64_t>(count, 64 - bit);
    const std::uint64_t ones = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    missed += add_bits(first - bit, ones << bit, use);
    first += n;
    count -= n;
  }
  return missed;
}

void Footprint::touch(std::uint64_t address, std::uint64_t bytes, std::uint8_t use) {
  if (bytes == 0) return;
  side_by_side_ = 1;  // in order, until the next launch begins
  held_.in_order();
  std::uint64_t first = address / kSectorBytes;
  const std::uint64_t end = (address + bytes - 1) / kSectorBytes + 1;
  constexpr std::uint64_t kLargest =
      (128u << 20) / kSectorBytes;  // no GPU has as much, even before it is known which
  const std::uint64_t fits = held_.unlimited() ? kLargest : kLineSectors * held_.capacity();
  const std::uint64_t most = 2 * fits;
  if (end - first > most) first = end - most;  // what comes last pushes out all the rest
  add_range(first, end - first, use | NoKernel | AtHome);
}

std::uint32_t Footprint::add(const Sectors& sectors, std::uint8_t use) {
  run_ = sectors.form == Sectors::Form::Run;
  if (!run_) return add_others(sectors, use);
  const std::uint64_t bits = (std::uint64_t{1} << sectors.count) - 1;  // at most 33 of them
  const std::uint64_t bit = sectors.first % 64, word = sectors.first - bit;
  std::uint32_t missed = add_bits(word, bits << bit, use);
  if (bit && bits >> (64 - bit)) missed += add_rest(word + 64, bits >> (64 - bit), use);
  return missed;
}

// Apart, so that add_bits() is not there twice where it is inline.
std::uint32_t Footprint::add_rest(std::uint64_t sector, std::uint64_t bits, std::uint8_t use) {
  return add_bits(sector, bits, use);
}

std::uint32_t Footprint::add_others(const Sectors& sectors, std::uint8_t use) {
  if (sectors.form == Sectors::Form::Near) return add_bits(sectors.first, sectors.near, use);
  // What a request asks for together is missed together, although a sector's neighbour comes with it: so word by word, in
  // whatever order lanes name them. Words that a place of the table is too few for come again.
  struct Word {
    std::uint64_t first, bits;
  };
  std::array<Word, 2 * kWarpLanes> words;
  std::array<std::uint8_t, 64> at{};  // and one
  std::uint32_t count = 0, missed = 0;
  for (const std::uint64_t sector : std::span(sectors.list).first(sectors.count)) {
    const std::uint64_t first = sector / 64 * 64, bit = std::uint64_t{1} << sector % 64;
    std::uint8_t& found = at[(sector / 64 ^ sector / 4096) % at.size()];
    if (found && words[found - 1u].first == first) {
      words[found - 1u].bits |= bit;
    } else {
      words[count++] = {first, bit};
      found = static_cast<std::uint8_t>(count);
    }
  }
  for (const Word& word : std::span(words).first(count))
    missed += add_bits(word.first, word.bits, use);
  return missed;
}

void Footprint::begin_launch(std::uint64_t side_by_side, bool at_once, std::uint64_t warps) {
  side_by_side_ = side_by_side;
  held_.begin_launch(side_by_side, at_once, warps, pages_);
  askers_.begin_launch(side_by_side);
  blocks_ = 1;
  for (Page* page : touched_) {
    page->next_launch();
    page->touched = false;
    if (!page->held && !page->waiting) pages_.erase(page->number);
  }
  touched_.clear();
  recent_.clear();
  from_dram_ = rows_opened_ = missed_ = on_their_way_ = asked_again_ = came_along_ = 0;
  atomics_missed_ = 0;
}

void Footprint::end_launch() {
  const L2Lines::Noted noted = held_.take_noted();
  missed_ += noted.missed;
  asked_again_ += noted.asked_again;
  from_dram_ += noted.from_dram;
}

void Footprint::flush() {
  pages_.clear();
  touched_.clear();
  recent_.clear();
  open_rows_.clear();
  held_.empty();
}

std::uint64_t Footprint::count(std::uint8_t use) const {
  std::uint64_t total = 0;
  for (const Page* page : touched_) {
    if (page->number >= kLocalPages) continue;
    for (std::uint32_t i = 0; i < kWords; ++i) {
      const std::uint64_t bits =
          (use & Read ? page->words[i].read : 0) | (use & Write ? page->words[i].written : 0);
      total += static_cast<std::uint64_t>(std::popcount(bits));
    }
  }
  return total;
}

}  // namespace emu::observe
