// SPDX-License-Identifier: MIT
// Bits per sector.
#include "counters/footprint.hpp"

#include <algorithm>

namespace emu::observe {
namespace {

constexpr std::uint64_t kEven = 0x5555'5555'5555'5555u, kFirstOfLine = 0x1111'1111'1111'1111u;

// Lines of which a sector is there.
std::uint32_t lines_of(std::uint64_t sectors) {
  sectors |= sectors >> 1;
  sectors |= sectors >> 2;
  return static_cast<std::uint32_t>(std::popcount(sectors & kFirstOfLine));
}

std::uint64_t count_of(std::uint64_t bits) {
  return static_cast<std::uint64_t>(std::popcount(bits));
}

// The half of L2 that 64 sectors are at home in: as good as drawn.
std::uint32_t home_of(std::uint64_t page, std::uint64_t word) {
  std::uint64_t x = (page * 64 + word) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  return static_cast<std::uint32_t>(std::popcount(x & 0x5a5a'3c3c'9696'f00fu) & 1);
}

}  // namespace

Footprint::Page& Footprint::find_page(std::uint64_t number) {
  auto& page = pages_[number];
  if (!page) {
    page = std::make_unique<Page>();
    page->number = number;
  }
  if (!page->touched) {
    page->touched = true;
    touched_.push_back(page.get());
  }
  recent_[place_of(number)] = {number, page.get()};
  return *page;
}

// Sectors that the half which is asked has not got.
std::uint32_t Footprint::ask(Page& page, std::uint64_t word, std::uint64_t fresh,
                             std::uint32_t half) {
  const bool elsewhere = home_of(page.number, word) != half;
  const std::uint64_t absent = fresh & ~page.in_l2[word];
  std::uint64_t come = absent | (absent & kEven) << 1 | (absent & ~kEven) >> 1;
  come &= ~page.in_l2[word];
  page.in_half[half][word] |= fresh | come;
  if (elsewhere) asked_again_ += count_of((fresh & ~absent) | come);
  if (!come) return 0;
  come_from_dram(page, word, come);
  keep(page, word, come);
  const auto missed = static_cast<std::uint32_t>(count_of(absent));
  missed_ += missed;
  return missed;
}

std::uint32_t Footprint::other(Page& page, std::uint64_t word, std::uint64_t bits,
                               std::uint8_t use) {
  if (use & Write) return write(page, word, bits, use);
  if (!(use & AtHome)) return add_word(page, word, bits, Read);
  const std::uint32_t home = home_of(page.number, word);
  page.read[word] |= bits;
  const std::uint64_t fresh = bits & ~page.in_half[home][word];
  return fresh ? ask(page, word, fresh, home) : 0;
}

// Stored at home. A copy in the other half is kept up to date where a kernel writes (Nsight Compute counts no misses when what was
// stored or swapped is read again), and worth nothing any more where something else does. An atomic reads as well.
std::uint32_t Footprint::write(Page& page, std::uint64_t word, std::uint64_t bits,
                               std::uint8_t use) {
  page.written[word] |= bits;
  dirty_ += count_of(bits & ~page.dirty[word]);
  page.dirty[word] |= bits;
  const std::uint32_t home = home_of(page.number, word);
  page.in_half[home][word] |= bits;
  if (use & NoKernel) page.in_half[1 - home][word] &= ~bits;
  const std::uint64_t absent = bits & ~page.in_l2[word];
  if (!(use & Read)) {
    first_written_ += count_of(absent);
    if (absent) keep(page, word, absent);
    if (dirty_ > most_dirty_) clean();
    return 0;
  }
  page.read[word] |= bits;
  if (!absent) return 0;
  std::uint64_t come = absent | (absent & kEven) << 1 | (absent & ~kEven) >> 1;
  come &= ~page.in_l2[word];
  come_from_dram(page, word, come);
  keep(page, word, come);
  const auto missed = static_cast<std::uint32_t>(count_of(absent));
  missed_ += missed;
  return missed;
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

void Footprint::keep(Page& page, std::uint64_t word, std::uint64_t come) {
  if (page.in_l2[word] == 0) order_.push_back({&page, static_cast<std::uint32_t>(word)});
  const std::uint32_t more = lines_of(page.in_l2[word] | come) - lines_of(page.in_l2[word]);
  page.in_l2[word] |= come;
  page.lines += more;
  lines_ += more;
  if (lines_ > most_lines_) make_room();
}

// Writes to DRAM what came first, and keeps it.
void Footprint::clean() {
  while (dirty_ > most_dirty_) {
    if (cleaned_ >= order_.size()) cleaned_ = 0;
    const auto [page, word] = order_[cleaned_++];
    write_back(*page, word);
  }
}

void Footprint::write_back(Page& page, std::uint32_t word) {
  const std::uint64_t sectors = count_of(page.dirty[word]);
  written_back_ += sectors;
  dirty_ -= sectors;
  page.dirty[word] = 0;
}

void Footprint::make_room() {
  while (lines_ > most_lines_ && order_.size() > 1) {
    const auto [page, word] = order_.front();
    order_.pop_front();
    if (cleaned_) --cleaned_;
    if (page->used >> word & 1) {
      page->used &= ~(std::uint64_t{1} << word);
      order_.push_back({page, word});
      continue;
    }
    const std::uint32_t lines = lines_of(page->in_l2[word]);
    write_back(*page, word);
    page->lines -= lines;
    lines_ -= lines;
    page->in_l2[word] = 0;
    page->in_half[0][word] = page->in_half[1][word] = 0;
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
  std::uint64_t first = address / kSectorBytes;
  const std::uint64_t end = (address + bytes - 1) / kSectorBytes + 1;
  const std::uint64_t most = most_lines_ > end ? end : 2 * kLineSectors * most_lines_;
  if (end - first > most) first = end - most;  // what comes last pushes out all the rest
  add_range(first, end - first, use | NoKernel);
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

void Footprint::begin_launch() {
  for (Page* page : touched_) {
    page->read.fill(0);
    page->written.fill(0);
    page->touched = false;
    if (page->lines == 0) pages_.erase(page->number);
  }
  touched_.clear();
  recent_.fill({});
  from_dram_ = rows_opened_ = missed_ = asked_again_ = written_back_ = first_written_ = 0;
}

void Footprint::flush() {
  pages_.clear();
  touched_.clear();
  order_.clear();
  recent_.fill({});
  open_rows_.clear();
  lines_ = dirty_ = cleaned_ = 0;
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
