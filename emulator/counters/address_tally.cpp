// SPDX-License-Identifier: MIT
// Counts per address, sector and slice.
#include "counters/address_tally.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace emu::observe {

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
      add_page(first->first, *first->second, gone_, gone_slices_);
      pages_.erase(first);
      oldest_.pop_front();
    }
  }
  return *recent_;
}

inline std::uint32_t AddressTally::hit(Page& page, std::uint64_t address, std::uint32_t lanes,
                                       Added& added) {
  const std::uint64_t at = address % kPageBytes / kGrain;
  std::uint64_t& last = page.last[at];
  // No branch: which lanes meet is hard to foresee.
  const std::uint64_t now = request_ * 64;
  const bool fresh = last < now;
  last = (fresh ? now : last) + lanes;
  page.requests[at] += fresh;
  page.lanes[at] += lanes;
  added.addresses += fresh;
  const auto in_request = static_cast<std::uint32_t>(last - now);
  added.most = std::max(added.most, in_request);
  return in_request;
}

inline void AddressTally::hit_alone(Page& page, std::uint64_t address, Added& added) {
  const std::uint64_t now = request_ * 64, lanes = hit(page, address, 1, added);
  std::uint64_t& given = page.given[address % kPageBytes / kSectorBytes];
  if (now + lanes <= given) return;
  given = now + lanes;
  pass(page, address, 1);
}

AddressTally::Added AddressTally::add(const MemoryAccess& access, bool aggregated) {
  aggregated_ = aggregated;
  if (access.mask == ~LaneMask{0}) return add_lanes(access.addresses, kWarpLanes, access);
  std::uint64_t lanes[kWarpLanes] = {};
  return add_lanes(lanes, gather_addresses(access, lanes), access);
}

// All in one page: what most requests with several addresses are, so nothing is looked up twice, and sums stay in registers.
[[gnu::always_inline]] inline void AddressTally::add_near(const std::uint64_t* address,
                                                          std::uint32_t n, Added& added) {
  Page& page = page_of(address[0]);
  const std::uint64_t now = request_ * 64;
  std::uint8_t times[kPageBytes / kSectorBytes] =
      {};  // the most lanes on one address of the sector
  std::uint64_t near = 0;
  std::uint32_t addresses = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint64_t at = address[i] % kPageBytes, sector = at / kSectorBytes;
    std::uint64_t& last = page.last[at / kGrain];
    const bool fresh = last < now;
    last = (fresh ? now : last) + 1;
    page.requests[at / kGrain] += fresh;
    ++page.lanes[at / kGrain];
    addresses += fresh;
    near |= std::uint64_t{1} << sector;
    times[sector] = std::max(times[sector], static_cast<std::uint8_t>(last - now));  // at most 32
  }
  added.addresses = addresses;
  added.near = near;
  std::uint8_t most = 0;
  std::uint32_t sectors = 0;
  for (std::size_t i = 0; i < std::size(times); ++i) {  // all of them: compilers make vectors of it
    most = std::max(most, times[i]);
    sectors += times[i];
  }
  for (std::size_t i = 0; i < std::size(times); ++i) page.passes[i] += times[i];
  added.most = most;
  added.sectors = sectors;
  if (most > kBurst) again_ += sectors - static_cast<std::uint32_t>(std::popcount(near));
}

// The addresses of the lanes that are on, one after the other.
AddressTally::Added AddressTally::add_lanes(const std::uint64_t* address, std::uint32_t n,
                                            const MemoryAccess& access) {
  ++request_;
  Added added;
  std::uint64_t differ = 0;
  for (std::uint32_t i = 0; i < n; ++i) differ |= address[i] ^ address[0];
  if (differ == 0) {
    Page& page = page_of(address[0]);
    added.sectors = hit(page, address[0], n, added);
    pass(page, address[0], aggregated_ ? 1 : added.sectors);
    if (!aggregated_ && n > kBurst) again_ += n - 1;
    added.near = std::uint64_t{1} << address[0] / kSectorBytes % 64;
  } else if (differ < kPageBytes) {
    n == kWarpLanes ? add_near(address, kWarpLanes, added) : add_near(address, n, added);
  } else {
    for (std::uint32_t i = 0; i < n; ++i) hit_alone(page_of(address[i]), address[i], added);
    added.sectors = atomic_sectors(access);
    if (added.most > kBurst) again_ += added.most - 1;
  }
  return added;
}

void AddressTally::clear() {
  pages_.clear();
  oldest_.clear();
  gone_ = {};
  gone_slices_ = {};
  recent_number_ = ~std::uint64_t{0};
  again_ = 0;
}

void AddressTally::add_page(std::uint64_t number, const Page& page, Totals& totals,
                            Slices& slices) {
  for (std::size_t i = 0; i < page.last.size(); ++i) {
    totals.addresses += page.requests[i] != 0;
    totals.most_lanes = std::max(totals.most_lanes, page.lanes[i]);
    totals.most_requests = std::max(totals.most_requests, page.requests[i]);
  }
  const Pieces pieces = pieces_of(page);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i + 2 < pieces.size()) note_near(pieces[i] + pieces[i + 2], totals);
    slices[slice_of(number * kPageBytes + i * kPieceBytes)] += pieces[i];
  }
  for (const std::uint64_t passes : page.passes)
    totals.sector_passes = std::max(totals.sector_passes, passes);
}

AddressTally::Pieces AddressTally::pieces_of(const Page& page) {
  Pieces pieces{};
  for (std::size_t i = 0; i < page.passes.size(); ++i)
    pieces[i * kSectorBytes / kPieceBytes] += page.passes[i];
  return pieces;
}

AddressTally::Totals AddressTally::totals() const {
  Totals t = gone_;
  Slices slices = gone_slices_;
  for (const auto& [number, page] : pages_) {
    add_page(number, *page, t, slices);
    const auto next = pages_.find(number + 1);
    if (next == pages_.end()) continue;
    const Pieces here = pieces_of(*page), there = pieces_of(*next->second);
    for (const std::size_t i : {0, 1}) note_near(here[here.size() - 2 + i] + there[i], t);
  }
  // A real GPU spreads them better than chance, though not evenly.
  std::uint64_t most = 0, all = 0;
  for (const std::uint64_t passes : slices) {
    most = std::max(most, passes);
    all += passes;
  }
  const std::uint64_t mean = all / kSlices;
  t.again = again_;
  t.slice_passes = std::max(t.near_passes, mean + (most - mean) * 6 / 10);
  return t;
}

}  // namespace emu::observe
