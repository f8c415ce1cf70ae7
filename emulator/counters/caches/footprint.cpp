// SPDX-License-Identifier: MIT
// Bits per sector.
#include "counters/caches/footprint.hpp"

#include <algorithm>

namespace emu::observe {
namespace {

constexpr std::uint64_t kEven = 0x5555'5555'5555'5555u, kFirstOfLine = 0x1111'1111'1111'1111u;

// The first sectors of lines of which one is there; and how many those are.
std::uint64_t line_bits(std::uint64_t sectors) {
  sectors |= sectors >> 1;
  sectors |= sectors >> 2;
  return sectors & kFirstOfLine;
}
std::uint32_t lines_of(std::uint64_t sectors) {
  return static_cast<std::uint32_t>(std::popcount(line_bits(sectors)));
}

// The sectors of lines of which three are there.
std::uint64_t nearly_whole(std::uint64_t sectors) {
  const std::uint64_t a = sectors, b = sectors >> 1, c = sectors >> 2, d = sectors >> 3;
  return (((a & b & (c | d)) | (c & d & (a | b))) & kFirstOfLine) * 0xf;
}

std::uint64_t count_of(std::uint64_t bits) {
  return static_cast<std::uint64_t>(std::popcount(bits));
}
double number(std::uint64_t count) { return static_cast<double>(count); }

// What comes from DRAM for these: in pairs.
std::uint64_t pairs_of(std::uint64_t sectors) {
  return sectors | (sectors & kEven) << 1 | (sectors & ~kEven) >> 1;
}

// Of what L2 can hold so much may wait to be written to DRAM (tests/timing_set: kernels that only write), and so many lines
// for the rest of a sector.
constexpr double kMostDirty = 0.547, kMostPart = 0.18;
constexpr double kFewWritten = 0.1;  // sectors for each line of L2

}  // namespace

bool Footprint::in_l2(std::uint64_t sector) {
  const Page& page = page_of(sector);
  const std::uint64_t word = sector % kSectors / 64;
  return page.in_half[page.home_of(word)][word] >> sector % 64 & 1;
}

L2Set& Footprint::set_of(const Page& page, std::uint64_t word, std::uint32_t half) {
  const std::uint64_t x = (page.number * kWords + word) * 2 + half;
  return sets_[((x * 0x9e3779b97f4a7c15u >> 32) * sets_.size()) >> 32];
}

std::uint8_t Footprint::part_of(const MemoryAccess& store, const GlobalCost& cost) {
  store_ = &store;
  parts_ = {};
  return cost.places * store.bytes_per_lane < cost.sectors * kSectorBytes ? Part : 0;
}

void Footprint::set_capacity(std::uint64_t bytes) {
  const std::uint64_t lines = bytes / (kLineSectors * kSectorBytes);
  const std::uint64_t sets = std::max<std::uint64_t>(1, lines / L2Set::kLines);
  most_lines_ = lines / sets;
  most_dirty_ = static_cast<std::uint64_t>(kMostDirty * number(most_lines_));
  most_part_ = static_cast<std::uint64_t>(kMostPart * number(most_lines_));
  if (sets == sets_.size()) return;
  std::vector<L2Set> before(sets);
  std::swap(before, sets_);
  for (const L2Set& old : before) {
    for (const auto& [page, word, half] : old.order) {
      L2Set& set = set_of(*page, word, half);
      set.order.push_back({page, word, half});
      set.lines += lines_of(page->in_half[half][word]);
      if (half != page->home_of(word)) continue;
      set.dirty += lines_of(page->dirty[word]);
      set.part += lines_of(page->part[word]);
    }
  }
  for (L2Set& set : sets_) make_room(set);
}

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
  const std::uint64_t first_asked = bits & page.coming[word], by = page.brought_by[word];
  page.coming[word] &= ~bits;
  const std::uint64_t of_dram = first_asked & ~page.crossing[word];
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
  page.coming[word] |= along & ~nearly_whole(asked);
  page.brought_by[word] = blocks_ * kWarpLanes + warp_ % kWarpLanes;
  page.brought_with[word] = instruction_;
}

// Sectors that the half which is asked has not got.
std::uint32_t Footprint::ask(Page& page, std::uint64_t word, std::uint64_t bits,
                             std::uint64_t fresh, std::uint32_t half) {
  const std::uint32_t waited = page.coming[word] & fresh ? late(page, word, bits, fresh) : 0;
  fresh &= ~page.in_half[half][word];
  if (!fresh) return waited;
  const std::uint32_t home = page.home_of(word);
  const std::uint64_t absent = fresh & ~page.in_half[home][word];
  const std::uint64_t come = pairs_of(absent) & ~page.in_half[home][word];
  if (come) {
    come_from_dram(page, word, come);
    page.crossing[word] &= ~come;
    bring(page, word, come & ~fresh, fresh);
    page.used[home][word] |= come;
    keep(page, word, come, home);
  }
  if (home != half) {
    // The neighbour of a sector comes along from the other half as well.
    const std::uint64_t found = fresh & ~absent;
    const std::uint64_t beside =
        pairs_of(found) & page.in_half[home][word] & ~page.in_half[half][word] & ~(fresh | come);
    asked_again_ += count_of(found | come);
    came_along_ += count_of(beside);
    page.used[home][word] |= fresh;
    page.used[half][word] |= come | beside;
    page.crossing[word] |= beside;
    if (beside) bring(page, word, beside, fresh);
    keep(page, word, fresh | come | beside, half);
  }
  const auto missed = static_cast<std::uint32_t>(count_of(absent));
  missed_ += missed;
  return missed + waited;
}

std::uint32_t Footprint::other(Page& page, std::uint64_t word, std::uint64_t bits,
                               std::uint8_t use) {
  if (use & Write) return write(page, word, bits, use);
  if (!(use & AtHome)) return add_word(page, word, bits, Read);
  const std::uint32_t home = page.home_of(word);
  page.read[word] |= bits;
  page.used[home][word] |= bits;
  const std::uint64_t fresh = bits & ~page.in_half[home][word];
  return fresh ? ask(page, word, bits, fresh, home) : 0;
}

// Stored at home. A copy in the other half is kept up to date where a kernel writes (Nsight Compute counts no misses when what was
// stored or swapped is read again), and worth nothing any more where something else does. An atomic reads as well.
std::uint32_t Footprint::write(Page& page, std::uint64_t word, std::uint64_t bits,
                               std::uint8_t use) {
  const std::uint32_t home = page.home_of(word);
  page.written[word] |= bits;
  page.used[home][word] |= bits;
  L2Set& set = set_of(page, word, home);
  const std::uint64_t before = page.dirty[word];
  page.dirty[word] |= bits;
  set.dirty += lines_of(before | bits) - lines_of(before);
  if (use & NoKernel) drop(set_of(page, word, 1 - home), page, word, bits, 1 - home);
  const std::uint64_t absent = bits & ~page.in_half[home][word];
  if (!(use & Read)) {
    first_written_ += count_of(absent);
    if ((use & Part ? absent : 0) | (page.part[word] & bits))
      store_part(set, page, word, bits, use, absent);
    if (absent) keep(page, word, absent, home);
    if (set.dirty > most_dirty_ || set.part > most_part_) clean(set);
    return 0;
  }
  page.read[word] |= bits;
  return absent ? ask(page, word, bits, absent, home) : 0;
}

// Of what is in L2 already nothing is missing.
void Footprint::store_part(L2Set& set, Page& page, std::uint64_t word, std::uint64_t bits,
                           std::uint8_t use, std::uint64_t absent) {
  std::uint64_t& part = page.part[word];
  const std::uint32_t lines_before = lines_of(part);
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
  set.part = set.part + lines_of(part) - lines_before;
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

void Footprint::keep(Page& page, std::uint64_t word, std::uint64_t come, std::uint32_t half) {
  L2Set& set = set_of(page, word, half);
  const std::uint64_t bit = std::uint64_t{1} << word;
  if (!(page.in_order[half] & bit))
    set.order.push_back({&page, static_cast<std::uint32_t>(word), half});
  page.in_order[half] |= bit;
  std::uint64_t& there = page.in_half[half][word];
  const std::uint32_t more = lines_of(there | come) - lines_of(there);
  set.lines += more;
  brought_ += more;
  there |= come;
  if (set.lines > most_lines_) make_room(set);
}

void Footprint::drop(L2Set& set, Page& page, std::uint64_t word, std::uint64_t sectors,
                     std::uint32_t half) {
  std::uint64_t& there = page.in_half[half][word];
  set.lines -= lines_of(there) - lines_of(there & ~sectors);
  there &= ~sectors;
}

// Writes to DRAM what came first, and keeps it.
void Footprint::clean(L2Set& set) {
  while (set.dirty > most_dirty_ || set.part > most_part_) {
    if (set.cleaned >= set.order.size()) set.cleaned = 0;
    const auto [page, word, half] = set.order[set.cleaned++];
    if (half == page->home_of(word)) write_back(set, *page, word, ~std::uint64_t{0});
  }
}

void Footprint::write_back(L2Set& set, Page& page, std::uint32_t word, std::uint64_t of) {
  const std::uint64_t leaves = page.dirty[word] & of;
  if (!leaves) return;
  written_back_ += count_of(leaves);
  lines_written_back_ += lines_of(leaves);
  set.dirty -= lines_of(page.dirty[word]) - lines_of(page.dirty[word] & ~of);
  page.dirty[word] &= ~of;
  const std::uint64_t part = page.part[word];
  if (!part) return;
  filled_ += count_of(part & leaves);
  page.part[word] &= ~leaves;
  set.part -= lines_of(part) - lines_of(page.part[word]);
}

// Blocks that run side by side here come one after the other: which of the things that they bring came first is drawn,
// always alike.
void Footprint::make_room(L2Set& set) {
  const double together = number(brought_) * number(side_by_side_ - 1) / number(blocks_);
  const double mixed = std::min(1.0, together / (number(most_lines_) * number(sets_.size())));
  // Few words that blocks write which all run at once are the last to come on a GPU, whichever block has run first here.
  std::uint64_t late =
      at_once_ && number(first_written_) < kFewWritten * number(most_lines_ * sets_.size())
          ? set.order.size()
          : 0;
  while (set.lines > most_lines_ && set.order.size() > 1) {
    drawn_ = drawn_ * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
    const double which = mixed * number(set.order.size()) * number(drawn_ >> 33);
    std::swap(set.order[static_cast<std::size_t>(which * 0x1p-31)], set.order.front());
    const auto [page, word, half] = set.order.front();
    set.order.pop_front();
    if (set.cleaned) --set.cleaned;
    const std::uint64_t there = page->in_half[half][word];
    std::uint64_t used = page->used[half][word];
    if (late && late--) used |= page->written[word];
    const std::uint64_t stays = there & line_bits(used) * 0xf;
    page->used[half][word] = 0;
    if (stays)
      set.order.push_back({page, word, half});
    else
      page->in_order[half] &= ~(std::uint64_t{1} << word);
    if (half == page->home_of(word)) write_back(set, *page, word, there & ~stays);
    drop(set, *page, word, there & ~stays, half);
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
  at_once_ = false;
  std::uint64_t first = address / kSectorBytes;
  const std::uint64_t end = (address + bytes - 1) / kSectorBytes + 1;
  const std::uint64_t fits = most_lines_ > end ? end : kLineSectors * most_lines_ * sets_.size();
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
  if (bit && bits >> (64 - bit)) missed += add_bits(word + 64, bits >> (64 - bit), use);
  return missed;
}

std::uint32_t Footprint::add_others(const Sectors& sectors, std::uint8_t use) {
  if (sectors.form == Sectors::Form::Near) return add_bits(sectors.first, sectors.near, use);
  std::uint32_t missed = 0;
  // What a request asks for together is missed together, although a sector's neighbour comes with it.
  for (std::uint32_t i = 0; i < sectors.count;) {
    const std::uint64_t sector = sectors.list[i];
    std::uint64_t bits = 0;
    for (; i < sectors.count && sectors.list[i] / 64 == sector / 64; ++i)
      bits |= std::uint64_t{1} << sectors.list[i] % 64;
    missed += add_bits(sector, bits, use);
  }
  return missed;
}

void Footprint::begin_launch(std::uint64_t side_by_side, bool at_once) {
  at_once_ = at_once;
  side_by_side_ = side_by_side;
  askers_.begin_launch(side_by_side);
  blocks_ = 1;
  brought_ = 0;
  for (Page* page : touched_) {
    page->read.fill(0);
    page->written.fill(0);
    page->coming.fill(0);
    page->crossing.fill(0);
    page->touched = false;
    if (!(page->in_order[0] | page->in_order[1])) pages_.erase(page->number);
  }
  touched_.clear();
  recent_.clear();
  from_dram_ = rows_opened_ = missed_ = on_their_way_ = asked_again_ = came_along_ = 0;
  written_back_ = first_written_ = lines_written_back_ = filled_ = 0;
}

void Footprint::flush() {
  pages_.clear();
  touched_.clear();
  recent_.clear();
  open_rows_.clear();
  sets_.assign(sets_.size(), {});
}

std::uint64_t Footprint::count(std::uint8_t use) const {
  std::uint64_t total = 0;
  for (const Page* page : touched_) {
    for (std::uint32_t i = 0; i < kWords; ++i) {
      const std::uint64_t bits =
          (use & Read ? page->read[i] : 0) | (use & Write ? page->written[i] : 0);
      total += static_cast<std::uint64_t>(std::popcount(bits));
    }
  }
  return total;
}

}  // namespace emu::observe
