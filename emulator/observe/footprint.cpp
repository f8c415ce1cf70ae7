// SPDX-License-Identifier: MIT
// Bits per sector and counts per address.
#include "observe/footprint.hpp"

#include <algorithm>
#include <bit>

namespace emu::observe {

Footprint::Page& Footprint::page_of(std::uint64_t sector) {
  const std::uint64_t number = sector / kSectors;
  Recent& recent = recent_[number % recent_.size()];
  if (recent.number != number) {
    auto& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    recent = {number, page.get()};
  }
  return *recent.page;
}

void Footprint::mark(Page& page, std::uint32_t first, std::uint32_t count, std::uint8_t use) {
  while (count) {
    const std::uint32_t word = first / 64, bit = first % 64, n = std::min(count, 64 - bit);
    const std::uint64_t ones = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    if (use & Read) page.read[word] |= ones << bit;
    if (use & Write) page.written[word] |= ones << bit;
    first += n;
    count -= n;
  }
}

void Footprint::add_range(std::uint64_t first, std::uint64_t count, std::uint8_t use) {
  while (count) {
    const auto at = static_cast<std::uint32_t>(first % kSectors);
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kSectors - at));
    mark(page_of(first), at, n, use);
    first += n;
    count -= n;
  }
}

void Footprint::add(const Sectors& sectors, std::uint8_t use) {
  if (sectors.consecutive) return add_range(sectors.id[0], sectors.count, use);
  for (std::uint32_t i = 0; i < sectors.count; ++i) {
    mark(page_of(sectors.id[i]), static_cast<std::uint32_t>(sectors.id[i] % kSectors), 1, use);
  }
}

void Footprint::clear() {
  pages_.clear();
  recent_.fill({});
}

std::uint64_t Footprint::count(std::uint8_t use) const {
  std::uint64_t total = 0;
  for (const auto& [number, page] : pages_) {
    for (std::uint32_t i = 0; i < kWords; ++i) {
      const std::uint64_t bits = (use & Read ? page->read[i] : 0) | (use & Write ? page->written[i] : 0);
      total += static_cast<std::uint64_t>(std::popcount(bits));
    }
  }
  return total;
}

AddressTally::Entry& AddressTally::place(std::uint64_t address) {
  const std::size_t mask = entries_.size() - 1;
  std::size_t at = (address * 0x9e3779b97f4a7c15u) >> 32;
  for (;; ++at) {
    Entry& e = entries_[at & mask];
    if (e.requests == 0 || e.address == address) return e;
  }
}

void AddressTally::add(std::uint64_t address, std::uint64_t lanes) {
  Entry& e = place(address);
  const bool fresh = e.requests == 0;
  e.address = address;
  e.lanes += lanes;
  ++e.requests;
  if (fresh && ++count_ * 2 > entries_.size()) grow();
}

void AddressTally::grow() {
  std::vector<Entry> old(entries_.size() * 4);
  old.swap(entries_);
  for (const Entry& e : old) {
    if (e.requests) place(e.address) = e;
  }
}

void AddressTally::clear() {
  if (count_ == 0 && !entries_.empty()) return;
  entries_.assign(1024, {});
  count_ = 0;
}

std::uint64_t AddressTally::most_lanes() const {
  std::uint64_t most = 0;
  for (const Entry& e : entries_) most = std::max(most, e.lanes);
  return most;
}

std::uint64_t AddressTally::most_requests() const {
  std::uint64_t most = 0;
  for (const Entry& e : entries_) most = std::max(most, e.requests);
  return most;
}

}  // namespace emu::observe
