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
  page->stamp = ++stamp_;
  if (order_.size() > 4 * pages_.size() + 1024)
    std::erase_if(order_, [&](const Touched& t) {
      const auto at = pages_.find(t.number);
      return at == pages_.end() || at->second->stamp != t.stamp;
    });
  order_.push_back({number, page->stamp});
  recent_[place_of(number)] = {number, page.get()};
  return *page;
}

std::uint32_t Footprint::bring(Page& page, std::uint64_t word, std::uint64_t fresh,
                               std::uint8_t use) {
  const bool reads = use & Read;
  std::uint64_t come = fresh;
  if (reads) {
    come |= (fresh & kEven) << 1 | (fresh & ~kEven) >> 1;
    come &= ~page.in_l2[word];
    from_dram_ += static_cast<std::uint64_t>(std::popcount(come));
  }
  const std::uint32_t more = lines_of(page.in_l2[word] | come) - lines_of(page.in_l2[word]);
  page.in_l2[word] |= come;
  page.lines += more;
  lines_ += more;
  if (lines_ > most_lines_) make_room();
  const auto count = static_cast<std::uint32_t>(std::popcount(fresh));
  (reads ? missed_ : first_written_) += count;
  return reads ? count : 0;
}

void Footprint::make_room() {
  while (lines_ > most_lines_ && !order_.empty()) {
    const Touched oldest = order_.front();
    order_.pop_front();
    const auto at = pages_.find(oldest.number);
    if (at == pages_.end() || at->second->stamp != oldest.stamp) continue;
    Page& page = *at->second;
    if (recent_[place_of(page.number)].page == &page) {  // it may have been touched ever since
      page.stamp = ++stamp_;
      order_.push_back({page.number, page.stamp});
      if (order_.size() <= recent_.size()) return;
      continue;
    }
    for (const std::uint64_t bits : page.dirty)
      written_back_ += static_cast<std::uint64_t>(std::popcount(bits));
    lines_ -= page.lines;
    page.lines = 0;
    page.in_l2.fill(0);
    page.dirty.fill(0);
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
  add_range(first, end - first, use);
}

std::uint32_t Footprint::add_others(const Sectors& sectors, std::uint8_t use) {
  if (sectors.form == Sectors::Form::Near) return add_bits(sectors.first, sectors.near, use);
  std::uint32_t missed = 0;
  for (std::uint32_t i = 0; i < sectors.count; ++i) {
    const std::uint64_t sector = sectors.list[i];
    missed += add_bits(sector, std::uint64_t{1} << sector % 64, use);
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
  from_dram_ = missed_ = written_back_ = first_written_ = 0;
}

void Footprint::flush() {
  pages_.clear();
  touched_.clear();
  order_.clear();
  recent_.fill({});
  lines_ = 0;
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
