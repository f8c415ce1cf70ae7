// SPDX-License-Identifier: MIT
// Races between operations: kernels on different streams, copies and fills, and the host itself.
#include <algorithm>
#include <bit>

#include "check/races.hpp"
#include "machine/kernel.hpp"
#include "memory/address_space.hpp"

namespace emu::check {
namespace {

std::string bytes_text(std::uint64_t at, std::uint64_t bytes) {
  const memory::Allocation* a = memory::AddressSpace::instance().find(at);
  if (!a) return "memory of the host";
  const std::uint64_t from = at - a->address;
  if (bytes == 1) return "byte " + std::to_string(from) + " of " + memory::name_of(*a);
  return "bytes " + std::to_string(from) + " to " + std::to_string(from + bytes - 1) + " of " +
         memory::name_of(*a);
}

Party call_party(const std::string& api, bool writes) {
  Party party;
  party.who = api.empty() ? "the host" : api;
  party.does = writes ? "writes it" : api.empty() ? "uses it" : "reads it";
  return party;
}

}  // namespace

// Where all that happened comes before what runs now, nothing of it can race any more.
bool Races::forget_all() {
  if (!orders.knows_all()) return false;
  sites_.clear();
  pages_.forget();
  records_.clear();
  launches_.clear();
  api_.clear();
  told_.clear();
  return true;
}

Party Races::party_of(Slot slot, const Place& place) {
  const Record& r = records_[slot.record()];
  const Site& site = sites_[r.site];
  const KeptLaunch& launch = launches_[site.operation];
  exec::Grid grid;
  grid.grid = launch.grid;
  grid.block = launch.block;
  const auto warps = static_cast<std::uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
  Party party;
  party.who =
      thread_text(grid, r.warp / warps, r.warp % warps, slot.lane()) + " of " + launch.kernel;
  party.does = site.reads && site.writes ? "changes it atomically"
               : site.writes             ? "writes " + memory_value(place, site)
                                         : "reads it";
  set_source(party, site);
  return party;
}

std::size_t Races::found_between(Finding f, Party first, Party then) {
  const bool host = f.id == "race-host";
  f.check = Check::Race;
  f.title = std::string(f.remark ? "two stores of the same value" : "race") +
            (host ? " between the host and the device" : " between streams") +
            (f.kernel.empty() ? "" : ",");
  f.why = host ? "work that was submitted runs on until the host waits for it"
               : "they are on different streams, and no event or wait of the host lies between";
  f.cure = host ? "cudaDeviceSynchronize() or cudaStreamSynchronize() before the host uses it"
                : "cudaStreamWaitEvent() on the second stream for an event that was recorded on "
                  "the first "
                  "behind it, or one stream for both";
  f.parties = {std::move(first), std::move(then)};
  return findings_.add(std::move(f));
}

// Two kernels, of which the first does not come before the second.
void Races::found_old(const Context& x, int lane, Slot before, const Place& place, bool same) {
  const std::uint32_t site = records_[before.record()].site;
  const std::uint64_t pair = std::uint64_t{site} << 32 | x.site << 1 | same;
  if (const auto it = told_.find(pair); it != told_.end()) return findings_.again(it->second.first);
  const exec::Grid& grid = *x.warp.block->grid;
  Finding f;
  f.id = "race-streams";
  f.remark = same;
  f.kernel = grid.kernel->pretty;
  f.what = place_text(grid, place, sites_[x.site]);
  told_[pair] = {found_between(std::move(f), party_of(before, place), party_now(x, lane)),
                 Reach::Blocks};
}

Party Races::party_now(const Context& x, int lane) const {
  const Site& site = sites_[x.site];
  Party party;
  party.who = thread_text(*x.warp.block->grid, x.me.block->linear, x.warp.id, lane);
  party.does = x.reads && x.writes ? "changes it atomically" : x.writes ? "writes it" : "reads it";
  set_source(party, site);
  return party;
}

// A slot at an address whose operation does not come before, and that conflicts.
Slot Races::stranger(std::uint64_t at, bool writes, bool host) {
  Pages::Page* const page = pages_.used(at);
  const std::size_t sector = Pages::sector_of(at);
  if (!page || page->count[sector] == 0) return {};
  const unsigned first = static_cast<unsigned>(at % kSectorBytes & ~3u);
  for (unsigned byte = first; byte < first + 4; ++byte) {
    const Cell cell = pages_.cell(*page, sector, byte);
    for (const Slot slot : {cell.write, cell.other[0], cell.other[1]}) {
      if (!slot || (!writes && !slot.writes())) continue;
      const std::uint32_t operation = sites_[records_[slot.record()].site].operation;
      if (!(host ? orders.host_knows(operation) : orders.knows(operation))) return slot;
    }
  }
  return {};
}

void Races::api_use(std::uint64_t begin, std::uint64_t bytes, bool writes, const std::string& api) {
  if (bytes == 0) return;
  if (api_operation_ != orders.current()) forget_all();
  api_operation_ = orders.current();
  if (!orders.knows_all()) {
    const std::uint64_t end = begin + bytes;
    for (const ApiUse& use : api_) {
      if (orders.knows(use.operation) || !use.meets(begin, bytes, writes)) continue;
      Finding f;
      f.id = "race-streams";
      const std::uint64_t from = std::max(begin, use.begin);
      f.what = bytes_text(from, std::min(end, use.end) - from);
      found_between(std::move(f), call_party(use.api, use.writes), call_party(api, writes));
      break;
    }
    Slot slot;
    for (std::uint64_t at = begin & ~std::uint64_t{3}; at < end && !slot;) {
      const bool used = pages_.used(at) != nullptr;
      if (used) slot = stranger(at, writes, false);
      if (slot) {
        Finding f;
        f.id = "race-streams";
        f.what = bytes_text(at, 4);
        found_between(std::move(f), party_of(slot, {at, 4, nullptr}), call_party(api, writes));
      }
      at = used ? at + 4 : (at / Pages::kPage + 1) * Pages::kPage;
    }
  }
  api_.push_back({begin, begin + bytes, orders.current(), writes, api});
}

void Races::meet_api(const Context& x, const observe::MemoryAccess& a) {
  for (LaneMask m = a.mask; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const auto meets = [&](const ApiUse& use) {
      return use.meets(a.addresses[lane], a.bytes_per_lane, x.writes);
    };
    const auto use = std::find_if(strange_api_.begin(), strange_api_.end(), meets);
    if (use == strange_api_.end()) continue;
    const Place place{a.addresses[lane], a.bytes_per_lane, nullptr};
    const exec::Grid& grid = *x.warp.block->grid;
    const Site& site = sites_[x.site];
    Finding f;
    f.id = "race-streams";
    f.kernel = grid.kernel->pretty;
    f.what = place_text(grid, place, site);
    found_between(std::move(f), call_party(use->api, use->writes), party_now(x, lane));
    return;
  }
}

// What a kernel passes to the host by an access of the system's scope, the host has waited for.
void Races::host_use(std::uint64_t address, bool writes) {
  Finding f;
  f.id = "race-host";
  f.what = bytes_text(address, 1);
  for (const ApiUse& use : api_) {
    if (orders.host_knows(use.operation) || !use.meets(address, 1, writes)) continue;
    found_between(std::move(f), call_party(use.api, use.writes), call_party("", writes));
    return;
  }
  const Slot slot = stranger(address, writes, true);
  if (!slot) return;
  const Site& site = sites_[records_[slot.record()].site];
  if (site.strong && site.order.scope == Scope::System) {
    return orders.host_waits_operation(site.operation);
  }
  f.kernel = launches_[site.operation].kernel;
  found_between(std::move(f), party_of(slot, {address & ~std::uint64_t{3}, 4, nullptr}),
                call_party("", writes));
}

}  // namespace emu::check
