// SPDX-License-Identifier: MIT
// Bits per sector and counts per address.
#include "observe/footprint.hpp"

#include <algorithm>
#include <bit>

namespace emu::observe {

inline Footprint::Page& Footprint::page_of(std::uint64_t sector) {
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

// Bits of the word that holds `sector`, or of the sector itself.
inline void Footprint::add_bits(std::uint64_t sector, std::uint64_t bits, std::uint8_t use) {
  Page& page = page_of(sector);
  const std::uint64_t word = sector % kSectors / 64;
  bits <<= sector % 64;
  if (use & Read) page.read[word] |= bits;
  if (use & Write) page.written[word] |= bits;
}

void Footprint::add(const Sectors& sectors, std::uint8_t use) {
  if (sectors.form == Sectors::Form::List) {
    for (std::uint32_t i = 0; i < sectors.count; ++i) add_bits(sectors.list[i], 1, use);
    return;
  }
  // A run of a warp has at most 33 sectors.
  const bool run = sectors.form == Sectors::Form::Run;
  const std::uint64_t bits = run ? (std::uint64_t{1} << sectors.count) - 1 : sectors.near;
  const auto bit = static_cast<std::uint32_t>(sectors.first % 64);
  add_bits(sectors.first - bit, bits << bit, use);
  if (bit && bits >> (64 - bit)) add_bits(sectors.first - bit + 64, bits >> (64 - bit), use);
}

void Footprint::clear() {
  pages_.clear();
  recent_.fill({});
}

std::uint64_t Footprint::count(std::uint8_t use) const {
  std::uint64_t total = 0;
  for (const auto& [number, page] : pages_) {
    for (std::uint32_t i = 0; i < kWords; ++i) {
      const std::uint64_t bits =
          (use & Read ? page->read[i] : 0) | (use & Write ? page->written[i] : 0);
      total += static_cast<std::uint64_t>(std::popcount(bits));
    }
  }
  return total;
}

inline AddressTally::Entry& AddressTally::place(std::uint64_t address) {
  const std::size_t mask = entries_.size() - 1;
  std::size_t at = (address * 0x9e3779b97f4a7c15u) >> 32;
  for (;; ++at) {
    Entry& e = entries_[at & mask];
    if (e.requests == 0 || e.address == address) return e;
  }
}

inline void AddressTally::hit(std::uint64_t address, std::uint32_t lanes, Added& added) {
  Entry& e = place(address);
  if (e.last_request != request_) {
    count_ += e.requests == 0;
    e.address = address;
    e.last_request = request_;
    e.in_request = 0;
    ++e.requests;
    ++added.addresses;
  }
  e.lanes += lanes;
  e.in_request += lanes;
  added.most = std::max(added.most, e.in_request);
}

AddressTally::Added AddressTally::add(const MemoryAccess& access) {
  if ((count_ + kWarpLanes) * 2 > entries_.size()) grow();
  ++request_;
  Added added;
  // Runs of lanes with one address count at once.
  const std::uint64_t* a = access.addresses;
  for (LaneMask m = access.mask; m;) {
    const std::uint64_t address = a[std::countr_zero(m)];
    std::uint32_t lanes = 0;
    do {
      ++lanes;
      m &= m - 1;
    } while (m && a[std::countr_zero(m)] == address);
    hit(address, lanes, added);
  }
  return added;
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
  for (const Entry& e : entries_) most = std::max<std::uint64_t>(most, e.requests);
  return most;
}

}  // namespace emu::observe
