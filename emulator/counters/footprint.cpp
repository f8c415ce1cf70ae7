// SPDX-License-Identifier: MIT
// Bits per sector and counts per address.
#include "counters/footprint.hpp"

#include <algorithm>
#include <bit>

namespace emu::observe {

Footprint::Page& Footprint::find_page(std::uint64_t number) {
  auto& page = pages_[number];
  if (!page) {
    page = std::make_unique<Page>();
    if (const auto old = pages_before_.find(number); old != pages_before_.end()) {
      const auto& written = old->second->written;
      for (std::uint32_t word = 0; word < kWords; ++word)
        page->before |= std::uint32_t{written[word] != 0} << word / 2;
    }
  }
  recent_[place_of(number)] = {number, page.get()};
  return *page;
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

void Footprint::add_others(const Sectors& sectors, std::uint8_t use) {
  if (sectors.form == Sectors::Form::Near) return add_bits(sectors.first, sectors.near, use);
  for (std::uint32_t i = 0; i < sectors.count; ++i) add_bits(sectors.list[i], 1, use);
}

void Footprint::begin_launch() {
  pages_before_.swap(pages_);
  pages_.clear();
  recent_.fill({});
}

std::uint64_t Footprint::count_read_in_l2() const {
  std::uint64_t sectors = 0;
  for (const auto& [number, page] : pages_) {
    for (std::uint32_t word = 0; word < kWords; ++word)
      if (page->before >> word / 2 & 1)
        sectors += static_cast<std::uint64_t>(std::popcount(page->read[word]));
  }
  return sectors;
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

AddressTally::Page& AddressTally::page_of(std::uint64_t address) {
  const std::uint64_t number = address / kPageBytes;
  if (number != recent_number_) {
    auto& page = pages_[number];
    if (!page) {
      page = std::make_unique<Page>();
      oldest_.push_back(number);
    }
    recent_number_ = number;
    recent_ = page.get();
    if (pages_.size() > kMostPages) {
      const auto first = pages_.find(oldest_.front());
      add_page(*first->second, gone_);
      pages_.erase(first);
      oldest_.pop_front();
    }
  }
  return *recent_;
}

inline std::uint32_t AddressTally::hit(Page& page, std::uint64_t address, std::uint32_t lanes,
                                       Added& added) {
  Entry& e = page[address % kPageBytes / kGrain];
  // No branch: which lanes meet is hard to foresee.
  const std::uint64_t now = request_ * 64;
  const bool fresh = e.last < now;
  e.last = (fresh ? now : e.last) + lanes;
  e.requests += fresh;
  e.lanes += lanes;
  added.addresses += fresh;
  const auto in_request = static_cast<std::uint32_t>(e.last - now);
  added.most = std::max(added.most, in_request);
  return in_request;
}

AddressTally::Added AddressTally::add(const MemoryAccess& access) {
  if (access.mask == ~LaneMask{0}) return add_lanes(access.addresses, kWarpLanes, access);
  std::uint64_t lanes[kWarpLanes] = {};
  return add_lanes(lanes, gather_addresses(access, lanes), access);
}

// The addresses of the lanes that are on, one after the other.
AddressTally::Added AddressTally::add_lanes(const std::uint64_t* address, std::uint32_t n,
                                            const MemoryAccess& access) {
  ++request_;
  Added added;
  std::uint64_t differ = 0;
  for (std::uint32_t i = 0; i < n; ++i) differ |= address[i] ^ address[0];
  if (differ == 0) {
    added.sectors = hit(page_of(address[0]), address[0], n, added);
    added.near = std::uint64_t{1} << address[0] / kSectorBytes % 64;
  } else if (differ < kPageBytes) {
    Page& page = page_of(address[0]);
    std::uint8_t times[64] = {};
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint64_t sector = address[i] / kSectorBytes % 64;
      added.near |= std::uint64_t{1} << sector;
      std::uint8_t& most = times[sector];
      const bool more = hit(page, address[i], 1, added) > most;
      most += more;
      added.sectors += more;
    }
  } else {
    for (std::uint32_t i = 0; i < n; ++i) hit(page_of(address[i]), address[i], 1, added);
    added.sectors = atomic_sectors(access);
  }
  return added;
}

void AddressTally::clear() {
  pages_.clear();
  oldest_.clear();
  gone_ = {};
  recent_number_ = ~std::uint64_t{0};
}

void AddressTally::add_page(const Page& page, Totals& totals) {
  for (const Entry& e : page) {
    totals.addresses += e.requests != 0;
    totals.most_lanes = std::max(totals.most_lanes, e.lanes);
    totals.most_requests = std::max(totals.most_requests, e.requests);
  }
}

AddressTally::Totals AddressTally::totals() const {
  Totals t = gone_;
  for (const auto& [number, page] : pages_) add_page(*page, t);
  return t;
}

}  // namespace emu::observe
