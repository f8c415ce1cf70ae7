// SPDX-License-Identifier: MIT
// Counts per address, sector and slice.
#include "counters/address_tally.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "counters/lane_steps.hpp"

namespace emu::observe {

AddressTally::Page& AddressTally::find_page(std::uint64_t number) {
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
  return *recent_;
}

AddressTally::Added AddressTally::add(const MemoryAccess& access, bool aggregated) {
  aggregated_ = aggregated;
  if (access.mask == ~LaneMask{0}) return add_lanes(access.addresses, kWarpLanes, access);
  std::uint64_t lanes[kWarpLanes];
  return add_lanes(lanes, gather_addresses(access, lanes), access);
}

// As gather_addresses() has them.
AddressTally::Added AddressTally::add_lanes(const std::uint64_t* address, std::uint32_t n,
                                            const MemoryAccess& access) {
  std::uint64_t differ = 0;
  for (std::uint32_t i = 0; i < kWarpLanes; ++i) differ |= address[i] ^ address[0];
  if (differ == 0) return add_one(address[0], n);
  return differ < kPageBytes ? add_near(address, n) : add_far(access);
}

AddressTally::Added AddressTally::add_one(std::uint64_t address, std::uint32_t n) {
  Page& page = page_of(address);
  page.at(address).lanes += n;
  ++page.at(address).requests;
  page.passes_at(address) += aggregated_ ? 1 : n;
  if (!aggregated_ && n > kBurst) again_ += n - 1;
  return {1, n, n, std::uint64_t{1} << address / kSectorBytes % kSectors};
}

// What most requests with several addresses are.
AddressTally::Added AddressTally::add_near(const std::uint64_t* address, std::uint32_t n) {
  const std::uint64_t near = places_named(address, std::countr_zero(kSectorBytes));
  Page& page = page_of(address[0]);
  const auto sectors = static_cast<std::uint32_t>(std::popcount(near));
  // Usually it is quickly seen that all differ: in their last bits.
  constexpr int kWord = 2;  // bits, of most atomics
  if (static_cast<std::uint32_t>(std::popcount(places_named(address, kWord))) == n) {
    add_apart(page, address, n, near);
    return {n, 1, sectors, near};
  }
  Added added{0, 0, 0, near};
  add_meeting(page, address, n, added);
  if (added.most > kBurst) again_ += added.sectors - sectors;
  return added;
}

inline void AddressTally::add_apart(Page& page, const std::uint64_t* address, std::uint32_t n,
                                    std::uint64_t near) {
#pragma GCC unroll 8
  for (std::uint32_t i = 0; i < n; ++i) ++page.alone[address[i] % kPageBytes / kGrain];
  for (std::uint64_t i = 0; i < kSectors; ++i) page.passes[i] += near >> i & 1;
}

// Lanes may have an address in common. No branches: which of them have is hard to foresee.
inline void AddressTally::add_meeting(Page& page, const std::uint64_t* address, std::uint32_t n,
                                      Added& added) {
  for (std::uint32_t i = 0; i < n; ++i) ++here_[address[i] % kPageBytes / kGrain];
  std::uint8_t times[kSectors] = {};  // the most lanes on one address of the sector
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint64_t at = address[i] % kPageBytes;
    const std::uint8_t lanes = std::exchange(here_[at / kGrain], std::uint8_t{0});
    Entry& entry = page.entries[at / kGrain];
    entry.lanes += lanes;
    entry.requests += lanes != 0;
    added.addresses += lanes != 0;
    times[at / kSectorBytes] = std::max(times[at / kSectorBytes], lanes);
  }
  std::uint8_t most = 0;
  for (std::size_t i = 0; i < kSectors; ++i) {  // all of them: compilers make vectors of it
    most = std::max(most, times[i]);
    added.sectors += times[i];
  }
  for (std::size_t i = 0; i < kSectors; ++i) page.passes[i] += times[i];
  added.most = most;
}

AddressTally::Added AddressTally::add_far(const MemoryAccess& access) {
  Addresses groups;
  group_addresses(access, groups);
  std::array<std::uint8_t, kWarpLanes> passes;
  Added added{groups.count, groups.most, sector_passes(groups, passes), 0};
  for (std::uint32_t i = 0; i < groups.count; ++i) {
    Page& page = page_of(groups.address[i]);
    Entry& entry = page.at(groups.address[i]);
    entry.lanes += groups.lanes[i];
    ++entry.requests;
    page.passes_at(groups.address[i]) += passes[i];
  }
  if (added.most > kBurst) again_ += added.most - 1;
  return added;
}

void AddressTally::look_at(std::uint64_t sector) {
  const auto page = pages_.find(sector / kSectors);
  if (page != pages_.end()) ++page->second->looks[sector % kSectors];
}

void AddressTally::look(const Sectors& sectors) {
  switch (sectors.form) {
    case Sectors::Form::Run:
      for (std::uint64_t i = 0; i < sectors.count; ++i) look_at(sectors.first + i);
      break;
    case Sectors::Form::Near:
      for (std::uint64_t near = sectors.near; near; near &= near - 1)
        look_at(sectors.first + static_cast<std::uint64_t>(std::countr_zero(near)));
      break;
    case Sectors::Form::List:
      for (std::uint32_t i = 0; i < sectors.count; ++i) look_at(sectors.list[i]);
  }
}

void AddressTally::swap(const MemoryAccess& access) {
  for (LaneMask lanes = access.mask; lanes; lanes &= lanes - 1) {
    const std::uint64_t address = access.addresses[std::countr_zero(lanes)];
    ++page_of(address).swaps[address % kPageBytes / kSectorBytes];
  }
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
  for (std::size_t i = 0; i < kEntries; ++i) {
    const Entry entry = page.all_of(i);
    totals.addresses += entry.requests != 0;
    totals.most_lanes = std::max(totals.most_lanes, entry.lanes);
    totals.most_requests = std::max(totals.most_requests, entry.requests);
  }
  const Pieces pieces = pieces_of(page);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    constexpr std::size_t kTurn = 2, kPair = kPairBytes / kPieceBytes;
    if (i % kPair < kTurn) note_near(pieces[i] + pieces[i + kTurn], totals);
    slices[slice_of(number * kPageBytes + i * kPieceBytes)] += pieces[i];
  }
  for (std::size_t i = 0; i < kSectors; ++i) {
    if (page.passes[i] <= totals.sector_passes) continue;
    totals.sector_passes = page.passes[i];
    totals.looks = page.looks[i];
    totals.swaps = page.swaps[i];
  }
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
  for (const auto& [number, page] : pages_) add_page(number, *page, t, slices);
  // A real GPU spreads them better than chance, though not evenly.
  std::uint64_t most = 0, all = 0;
  for (const std::uint64_t passes : slices) {
    most = std::max(most, passes);
    all += passes;
  }
  const std::uint64_t mean = all / kSlices;
  t.passes = all;
  t.again = again_;
  t.slice_passes = std::max(t.near_passes, mean + (most - mean) * 6 / 10);
  return t;
}

}  // namespace emu::observe
