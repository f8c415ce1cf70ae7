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

Party host_party(bool writes) {
  Party party;
  party.who = "the host";
  party.does = writes ? "writes it" : "uses it";
  return party;
}

// Of two operations that nothing orders: where they run, and (of kernels) what they do there.
struct Apart {
  bool host = false, devices = false;
  const Site *first = nullptr, *then = nullptr;
};

void explain_devices(Finding& f, const Apart& apart) {
  if (!apart.first || !apart.then) {
    f.why = "they are on two devices, and no event or wait of the host lies between";
    f.cure =
        "cudaStreamWaitEvent() on the second stream for an event that was recorded on the first "
        "behind it, or a wait of the host between them";
  } else if (apart.first->strong && apart.then->strong) {
    const Scope scope = std::min(apart.first->order.scope, apart.then->order.scope);
    f.why = "they are on two devices, and the scope of one access is the " + scope_name(scope) +
            ": it is atomic there only";
    f.cure =
        "the scope of the system for both: atomicAdd_system() instead of atomicAdd(), "
        "cuda::thread_scope_system";
  } else if (apart.first->strong || apart.then->strong) {
    f.why = "they are on two devices, and only one of the two accesses is atomic";
    f.cure =
        "make both atomic at the scope of the system (atomicAdd_system(), cuda::atomic_ref with "
        "cuda::thread_scope_system), or put an event or a wait of the host between them";
  } else {
    f.why =
        "they are on two devices, which run at the same time, and nothing of the system's scope "
        "lies between";
    f.cure =
        "a flag that is released behind the first and acquired before the second, both with "
        "cuda::thread_scope_system (or __threadfence_system() on both sides), an event, or a wait "
        "of the host";
  }
}

Finding describe_between(Finding f, const Apart& apart, Party first, Party then) {
  f.check = Check::Race;
  f.id = apart.host ? "race-host" : apart.devices ? "race-devices" : "race-streams";
  f.title = std::string(f.remark ? "two stores of the same value" : "race") + " between " +
            (apart.host      ? "the host and the device"
             : apart.devices ? "devices"
                             : "streams") +
            (f.kernel.empty() ? "" : ",");
  if (apart.host) {
    f.why = "work that was submitted runs on until the host waits for it";
    f.cure = "cudaDeviceSynchronize() or cudaStreamSynchronize() before the host uses it";
  } else if (apart.devices) {
    explain_devices(f, apart);
  } else {
    f.why = "they are on different streams, and no event or wait of the host lies between";
    f.cure =
        "cudaStreamWaitEvent() on the second stream for an event that was recorded on the first "
        "behind it, or one stream for both";
  }
  f.parties = {std::move(first), std::move(then)};
  return f;
}

}  // namespace

// Where all that happened comes before all that will, nothing of it can race any more.
bool Races::forget_all() {
  if (!running_.empty() || !orders.known_to_all()) return false;
  sites_.clear();
  pages_.forget();
  records_.clear();
  clocks.forget();
  messages_.clear();
  recent_ = {};
  api_.clear();
  told_.clear();
  return true;
}

// Whether what was done in another launch comes before what the lane does now.
bool Races::knows_other(const Context& x, int lane, Slot slot, const Record& r) const {
  const std::uint32_t operation = sites_[r.site].operation;
  if (orders.within(operation, x.launch().before)) return true;
  if (!clocks.several()) return false;
  if (r.agent ? clocks.knows_agent(x.me, lane, r.agent)
              : clocks.knows(x.me, lane, r.warp, slot.lane(), r.time)) {
    return true;
  }
  return clocks.knows_operation(x.me, lane, operation, orders);
}

Party Races::party_of(Slot slot, const Place& place) {
  const Record& r = records_[slot.record()];
  const Site& site = sites_[r.site];
  const KeptLaunch& launch = clocks.launches().of_warp(r.warp);
  exec::Grid grid;
  grid.grid = launch.grid;
  grid.block = launch.block;
  const std::uint32_t warp = r.warp - launch.first_warp;
  Party party;
  party.who = thread_of_block_text(grid, warp / launch.warps_per_block,
                                   warp % launch.warps_per_block, slot.lane()) +
              " of " + launch.kernel + device_text(launch.device);
  party.does = site.reads && site.writes ? "changes it atomically"
               : site.writes             ? "writes " + memory_value(place, site)
                                         : "reads it";
  set_source(party, site);
  return party;
}

Party Races::call_party(const ApiUse& use) const {
  Party party;
  party.who = use.api + device_text(orders.device_of(use.operation));
  party.does = use.does;
  return party;
}

// Two kernels, of which the first does not come before the second.
Finding Races::describe_other(const Context& x, int lane, Slot before, const Place& place,
                              bool same) {
  const Record& r = records_[before.record()];
  const exec::Grid& grid = *x.warp.block->grid;
  Finding f;
  f.remark = same;
  f.kernel = grid.kernel->pretty;
  f.what = place_text(grid, place, sites_[x.site]);
  f.reach = Reach::Blocks;
  return describe_between(std::move(f),
                          {.devices = clocks.launches().of_warp(r.warp).device != grid.device,
                           .first = &sites_[r.site],
                           .then = &sites_[x.site]},
                          party_of(before, place), party_now(x, lane));
}

Party Races::party_now(const Context& x, int lane) const {
  const Site& site = sites_[x.site];
  Party party;
  party.who = thread_text(*x.warp.block->grid, x.warp.block->linear, x.warp.id, lane);
  party.does = x.reads && x.writes ? "changes it atomically" : x.writes ? "writes it" : "reads it";
  set_source(party, site);
  return party;
}

bool Races::is_behind(const Behind& behind, Slot slot) const {
  const Record& r = records_[slot.record()];
  const std::uint32_t operation = sites_[r.site].operation;
  return orders.within(operation, behind.clock) ||
         clocks.view_knows(behind.view, r.warp, slot.lane(), r.time) ||
         clocks.view_knows_operation(behind.view, operation, orders);
}

// A slot at an address that does not come before, and that conflicts.
Slot Races::stranger(std::uint64_t at, bool writes, const Behind& behind) {
  Pages::Page* const page = pages_.used(at);
  const std::size_t sector = Pages::sector_of(at);
  if (!page || page->count[sector] == 0) return {};
  const unsigned first = static_cast<unsigned>(at % kSectorBytes & ~3u);
  for (unsigned byte = first; byte < first + 4; ++byte) {
    const Cell cell = pages_.cell(*page, sector, byte);
    for (const Slot slot : {cell.write, cell.other[0], cell.other[1]}) {
      if (!slot || (!writes && !slot.writes())) continue;
      if (!is_behind(behind, slot)) return slot;
    }
  }
  return {};
}

// Whether nothing of a sector conflicts: mostly so, and told faster than byte by byte.
bool Races::all_behind(Pages::Page& page, std::size_t sector, bool writes, const Behind& behind) {
  std::uint32_t known = 0;
  bool all = true;
  const auto look = [&](Slot slot) {
    if (!slot || (!writes && !slot.writes()) || slot.record() == known || !all) return;
    all = is_behind(behind, slot);
    known = slot.record();
  };
  if (Cell* const cells = pages_.words_if(page, sector)) {
    for (std::size_t i = 0; i < kSectorWords; ++i) each_slot_of(cells[i], look);
  } else {
    for (const Piece& piece : pages_.pieces(page, sector))
      for (const Slot slot : piece.slots) look(slot);
  }
  return all;
}

// The first in a range, and where.
Slot Races::stranger_in(std::uint64_t begin, std::uint64_t end, bool writes, const Behind& behind,
                        std::uint64_t& at) {
  for (at = begin & ~std::uint64_t{3}; at < end;) {
    Pages::Page* const page = pages_.used(at);
    if (!page) {
      at = (at / Pages::kPage + 1) * Pages::kPage;
      continue;
    }
    const std::uint64_t next = std::min((at / kSectorBytes + 1) * kSectorBytes, end);
    if (!all_behind(*page, Pages::sector_of(at), writes, behind)) {
      for (; at < next; at += 4)
        if (const Slot slot = stranger(at, writes, behind)) return slot;
    }
    at = next;
  }
  return {};
}

// A use that does not come before this one and conflicts with it, and the first row that does.
const ApiUse* Races::meets_api(const ApiUse& now, const Behind& behind, std::uint64_t& row) const {
  for (const ApiUse& use : api_) {
    if (!(now.writes || use.writes) || orders.knows(use.operation) ||
        clocks.view_knows_operation(behind.view, use.operation, orders)) {
      continue;
    }
    for (row = 0; row < now.rows.count; ++row) {
      if (use.rows.meets(now.rows.begin + row * now.rows.pitch, now.rows.width)) return &use;
    }
  }
  return nullptr;
}

void Races::api_use(ApiUse now) {
  if (now.rows.width == 0 || now.rows.count == 0) return;
  if (api_operation_ != orders.current()) forget_all();
  api_operation_ = now.operation = orders.current();
  if (!orders.knows_all()) {
    const Orders::Now me = orders.now();
    const Behind behind{me.clock, clocks.known_behind(me.clock, orders)};
    const int device = orders.device_of(now.operation);
    std::uint64_t row = 0, at = 0;
    if (const ApiUse* const use = meets_api(now, behind, row)) {
      Finding f;
      const std::uint64_t start = now.rows.begin + row * now.rows.pitch;
      const std::uint64_t from = std::max(start, use->rows.begin);
      f.what = bytes_text(from, std::min(start + now.rows.width, use->rows.end()) - from);
      findings_.add(describe_between(std::move(f),
                                     {.devices = orders.device_of(use->operation) != device},
                                     call_party(*use), call_party(now)));
    }
    Slot slot;
    for (row = 0; row < now.rows.count && !slot; ++row) {
      const std::uint64_t start = now.rows.begin + row * now.rows.pitch;
      slot = stranger_in(start, start + now.rows.width, now.writes, behind, at);
    }
    if (slot) {
      Finding f;
      f.what = bytes_text(at, 4);
      const int other = clocks.launches().of_warp(records_[slot.record()].warp).device;
      findings_.add(describe_between(std::move(f), {.devices = other != device},
                                     party_of(slot, {at, 4, nullptr}), call_party(now)));
    }
  }
  api_.push_back(std::move(now));
}

void Races::meet_api(const Context& x, const observe::MemoryAccess& a,
                     const RunningLaunch& launch) {
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (LaneMask m = a.mask; m; m &= m - 1) {
    const std::uint64_t at = a.addresses[std::countr_zero(m)];
    least = std::min(least, at);
    most = std::max(most, at + a.bytes_per_lane);
  }
  for (const ApiUse& use : launch.strange) {
    if (!(x.writes || use.writes) || !use.rows.meets(least, most - least)) continue;
    for (LaneMask m = a.mask; m; m &= m - 1) {
      const int lane = std::countr_zero(m);
      if (!use.rows.meets(a.addresses[lane], a.bytes_per_lane) ||
          clocks.knows_operation(x.me, lane, use.operation, orders)) {
        continue;
      }
      const Place place{a.addresses[lane], a.bytes_per_lane, nullptr};
      const exec::Grid& grid = *x.warp.block->grid;
      Finding f;
      f.kernel = grid.kernel->pretty;
      f.what = place_text(grid, place, sites_[x.site]);
      findings_.add(describe_between(std::move(f),
                                     {.devices = orders.device_of(use.operation) != grid.device},
                                     call_party(use), party_now(x, lane)));
      return;
    }
  }
}

// What a kernel passes to the host by an access of the system's scope, the host has waited for.
void Races::host_use(std::uint64_t address, bool writes) {
  const Behind behind{orders.host(), clocks.known_behind(orders.host(), orders)};
  Finding f;
  f.what = bytes_text(address, 1);
  for (const ApiUse& use : api_) {
    if (orders.host_knows(use.operation) || !(writes || use.writes) ||
        !use.rows.meets(address, 1) ||
        clocks.view_knows_operation(behind.view, use.operation, orders)) {
      continue;
    }
    findings_.add(
        describe_between(std::move(f), {.host = true}, call_party(use), host_party(writes)));
    return;
  }
  const Slot slot = stranger(address, writes, behind);
  if (!slot) return;
  const Record& r = records_[slot.record()];
  const Site& site = sites_[r.site];
  if (site.strong && site.order.scope == Scope::System) {
    return orders.host_waits_operation(site.operation);
  }
  f.kernel = clocks.launches().of_warp(r.warp).kernel;
  findings_.add(describe_between(std::move(f), {.host = true},
                                 party_of(slot, {address & ~std::uint64_t{3}, 4, nullptr}),
                                 host_party(writes)));
}

}  // namespace emu::check
