// SPDX-License-Identifier: MIT
#include "check/races.hpp"

#include <bit>

#include "machine/kernel.hpp"

namespace emu::check {

using observe::AccessKind;
using observe::MemorySpace;

namespace {

constexpr std::uint64_t kOffset = (1u << memory::kClusterRankShift) - 1;

// The block that a shared offset with rank bits means; nullptr: none.
const exec::Block* owner_of(const exec::Warp& warp, std::uint64_t offset) {
  const std::uint64_t rank = offset >> memory::kClusterRankShift;
  if (rank == 0) return warp.block;
  if (rank > warp.block->cluster.size()) return nullptr;
  return warp.block->cluster[rank - 1];
}

}  // namespace

std::uint32_t Races::record(const Context& x, Records& records, std::uint32_t agent) {
  const Time time = x.me.since();
  const std::uint32_t warp = x.me.warp->number;
  if (agent) return records.add({time, warp, x.site, agent});
  Recent& recent = recent_[(warp * 31 + x.site) % recent_.size()];
  if (recent.warp != warp || recent.site != x.site || recent.time != time ||
      recent.records != &records) {
    recent = {warp, x.site, records.add({time, warp, x.site, 0}), time, &records};
  }
  return recent.record;
}

// ---- one access

bool Races::ordered(Context& x, int lane, Slot slot, const Records& records) {
  const std::uint32_t number = slot.record();
  if (number == x.ordered) return true;
  const Record& r = records[number];
  if (is_other(x, r)) [[unlikely]]
    return knows_other(x, lane, slot, r);
  if (r.agent) return clocks.knows_agent(x.me, lane, r.agent);
  if (r.warp == x.me.warp->number && slot.lane() == lane) return true;
  if (r.time <= x.me.block->floor && in_my_block(x, r.warp)) {
    x.ordered = number;
    return true;
  }
  return clocks.knows(x.me, lane, r.warp, slot.lane(), r.time);
}

bool Races::strong(Slot slot, const Records& records) const {
  return sites_[records[slot.record()].site].strong;
}

bool Races::same_device(const Context& x, const Record& other) const {
  return !clocks.several() || !is_other(x, other) ||
         clocks.launches().of_warp(other.warp).device == x.launch().device;
}

// Whether two accesses that are atomic for the threads of a GPU are for each other.
bool Races::wide_together(const Context& x, const Record& other) const {
  if (!clocks.several() || !is_other(x, other)) return true;
  return std::min(sites_[other.site].order.scope, sites_[x.site].order.scope) == Scope::System;
}

bool Races::strong_together(const Context& x, const Record& other) const {
  const Site& before = sites_[other.site];
  if (!x.strong || !before.strong) return false;
  const Scope scope = std::min(before.order.scope, sites_[x.site].order.scope);
  if (scope == Scope::System) return true;
  if (scope == Scope::Gpu) return same_device(x, other);
  if (is_other(x, other)) return false;
  if (in_my_block(x, other.warp)) return true;
  return scope == Scope::Cluster &&
         x.launch().cluster_of(x.launch().block_of(other.warp)) == x.me.block->cluster;
}

bool Races::in_step(const Context& x, const Record& other, const Place& place) const {
  return sites_[other.site].is_volatile && sites_[x.site].is_volatile && place.block &&
         other.warp == x.me.warp->number;
}

// Whether two accesses that nothing orders are more than two atomics at a scope that holds for both.
bool Races::disagree(Context& x, int lane, Slot slot, const Records& records, const Cell& cell,
                     const Place& place) {
  const Record& r = records[slot.record()];
  const Site &a = sites_[r.site], &b = sites_[x.site];
  if (!a.strong || !b.strong) return true;
  const bool far = clocks.several() && !same_device(x, r);
  if (far && std::min(a.order.scope, b.order.scope) < Scope::System) return true;
  // An atomic or volatile read behind a flag finds what was given with the flag, on the GPUs there are, and a store
  // comes behind what its own thread has read. Only other accesses need the fence for that.
  const auto own = [&](Slot other) { return other && is_mine(x, lane, other, records); };
  const bool has_read = x.reads || own(cell.other[0]) || own(cell.other[1]);
  if (has_read && clocks.has_heard(x.me, lane, r.warp, slot.lane(), r.time)) return false;
  if (!strong_together(x, r) || in_step(x, r, place)) return true;
  // Of a volatile store PTX makes an atomic one. All others call it a race, and so do we, unless it is to a place that
  // somebody waits for.
  return ((a.is_volatile && a.writes) || (b.is_volatile && b.writes)) && !doubts_.waited(place);
}

void Races::note_waited(const Context& x, const observe::MemoryAccess& a) {
  for (LaneMask m = a.mask; m; m &= m - 1) {
    const std::uint64_t at = a.addresses[std::countr_zero(m)];
    const exec::Block* const owner =
        a.space == MemorySpace::Shared ? owner_of(x.warp, at) : nullptr;
    for (std::uint32_t byte = 0; byte < a.bytes_per_lane; byte += 4) {
      doubts_.wait({(owner ? at & kOffset : at) + byte, 4, owner});
    }
  }
}

// Keeps an access among the others. A read that comes before it needs not be kept beside it, unless it
// is a weak one and this is strong: what is at peace with this may not be with that. Of three that must
// be kept the one goes that is most like this one.
void Races::insert(Context& x, int lane, Cell& cell, Slot me, Records& records) {
  for (Slot& slot : cell.other) {
    if (!slot || slot == me) {
      slot = me;
      return;
    }
  }
  for (Slot& slot : cell.other) {
    if (!slot.writes() && (!x.strong || strong(slot, records)) && ordered(x, lane, slot, records)) {
      slot = me;
      return;
    }
  }
  const auto likeness = [&](Slot slot) {
    const Record& r = records[slot.record()];
    return r.warp == x.me.warp->number ? 2 : in_my_block(x, r.warp) ? 1 : 0;
  };
  cell.other[likeness(cell.other[1]) >= likeness(cell.other[0])] = me;
}

void Races::touch(Context& x, int lane, Cell& cell, Slot me, Records& records, const Place& place) {
  const auto conflicts = [&](Slot slot) {
    return slot && slot != me && (x.writes || slot.writes()) &&
           !(x.wide && slot.wide() && wide_together(x, records[slot.record()])) &&
           !ordered(x, lane, slot, records) && disagree(x, lane, slot, records, cell, place);
  };
  if (conflicts(cell.write)) {
    found(x, lane, cell.write, records, place);
  } else if (conflicts(cell.other[0])) {
    found(x, lane, cell.other[0], records, place);
  } else if (conflicts(cell.other[1])) {
    found(x, lane, cell.other[1], records, place);
  }
  if (!x.writes) {
    if (cell.other[0] != me) insert(x, lane, cell, me, records);
    return;
  }
  const Slot before = cell.write;
  cell.write = me;
  if (!x.strong) {
    cell.other[0] = cell.other[1] = Slot{};
    return;
  }
  // A weak store, and what others did whom this one does not know, may still race with what comes.
  if (!before || before == me || before == cell.other[0] || before == cell.other[1]) return;
  if (!(before.wide() || strong(before, records)) || !ordered(x, lane, before, records)) {
    insert(x, lane, cell, before, records);
  }
}

void Races::use(Context& x, int lane, const Place& place, std::uint32_t record, Shadow& shadow,
                Records& records) {
  const Shadow::Run run = shadow.run(place.at, place.bytes);
  const Slot me(record, lane, x.writes, x.wide);
  const std::uint32_t granule = shadow.granule();
  std::uint64_t at = place.at & ~std::uint64_t{granule - 1};
  for (Cell* cell = run.begin; cell != run.end; ++cell, at += granule) {
    touch(x, lane, *cell, me, records, {at, granule, place.block});
  }
}

// ---- what nearly all accesses are: weak ones to whole words that nobody else uses

bool Races::is_mine(Context& x, int lane, Slot slot, const Records& records) {
  if (slot.lane() != lane) return false;
  const std::uint32_t number = slot.record();
  if (number == x.own) return true;
  const Record& r = records[number];
  if (r.warp != x.me.warp->number || r.agent) return false;
  x.own = number;
  return true;
}

// Whether an access needed no more than a look at its cell, which it has then updated.
bool Races::quick(Context& x, int lane, Cell& cell, Slot me, const Records& records) {
  const Slot write = cell.write, other = cell.other[0];
  if (write && write.record() != x.ordered && !is_mine(x, lane, write, records)) return false;
  if (cell.other[1] && cell.other[1].record() != x.ordered) return false;
  if (other == me) {
    if (!x.writes) return true;
  } else if (other && other.record() != x.ordered && !is_mine(x, lane, other, records)) {
    return false;
  }
  if (x.writes) {
    cell.write = me;
    cell.other[0] = cell.other[1] = Slot{};
  } else {
    cell.other[0] = me;
  }
  return true;
}

// A whole warp side by side, on cells that nobody else has used since: all of them at once, or none.
bool Races::quick_row(Context& x, Cell* cells, std::uint32_t record, const Records& records) {
  const Slot write = cells[0].write, other = cells[0].other[0], me(record, 0, x.writes, false);
  if (write && !is_mine(x, 0, write, records)) return false;
  if (other && other != me && !is_mine(x, 0, other, records)) return false;
  bool same = true;
  for (int lane = 0; lane < kLanes; ++lane) {
    const Cell& cell = cells[lane];
    same &= cell.write == (write ? write.of_lane(lane) : write);
    same &= cell.other[0] == (other ? other.of_lane(lane) : other);
    same &= !cell.other[1];
  }
  if (!same) return false;
  if (!x.writes && other == me) return true;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (x.writes) {
      cells[lane] = {me.of_lane(lane), {}};
    } else {
      cells[lane].other[0] = me.of_lane(lane);
    }
  }
  return true;
}

namespace {

bool in_a_row(const observe::MemoryAccess& a) {
  if (a.mask != exec::kAllLanes || a.bytes_per_lane != 4) return false;
  std::uint64_t differs = 0;
  for (std::uint64_t i = 0; i < kLanes; ++i) differs |= a.addresses[i] ^ (a.addresses[0] + 4 * i);
  return differs == 0;
}

}  // namespace

void Races::use_words(Context& x, const observe::MemoryAccess& a, std::uint32_t record,
                      Shared& shared, const exec::Block* block) {
  Records& records = shared.records;
  Cell* const cells = shared.shadow.words();
  const std::uint32_t words = a.bytes_per_lane / 4;
  const std::size_t size = shared.shadow.size();
  if (in_a_row(a)) {
    const std::uint64_t first = a.addresses[0] / 4;
    if (first + kLanes <= size && quick_row(x, cells + first, record, records)) return;
  }
  for (LaneMask m = a.mask; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t at = a.addresses[lane], first = at / 4;
    if (first + words > size) continue;
    const Slot me(record, lane, x.writes, false);
    for (std::uint32_t k = 0; k < words; ++k) {
      if (quick(x, lane, cells[first + k], me, records)) [[likely]]
        continue;
      touch(x, lane, cells[first + k], me, records, {at + 4 * k, 4, block});
    }
  }
}

namespace {

// Whether all lanes use whole words of their own block.
bool in_words(const observe::MemoryAccess& a) {
  if (a.bytes_per_lane % 4) return false;
  std::uint64_t outside = 0, low = 0;
  for (LaneMask m = a.mask; m; m &= m - 1) {
    const std::uint64_t at = a.addresses[std::countr_zero(m)];
    outside |= at / (kOffset + 1);
    low |= at;
  }
  return outside == 0 && low % 4 == 0;
}

}  // namespace

void Races::access(const exec::Warp& warp, const exec::Instr& in, const observe::MemoryAccess& a) {
  if ((a.space != MemorySpace::Global && a.space != MemorySpace::Shared) ||
      a.kind == AccessKind::AsyncCopy) {
    return;
  }
  const Who me = clocks.who(warp);
  if (!me.block) return;
  const bool reads = a.kind != AccessKind::Store, writes = a.kind != AccessKind::Load;
  RunningLaunch& launch = running(*warp.block->grid);
  const std::uint32_t number = sites_.of(launch.sites, warp, in, reads, writes, false);
  Context x{warp, me, number, reads, writes, sites_[number].strong, a.bytes_per_lane, &a};
  const bool strong = x.strong;
  if (sites_[number].waits) [[unlikely]]
    note_waited(x, a);
  // Volatile accesses are looked at more closely: volatile_race().
  x.wide = strong && sites_[number].order.scope >= Scope::Gpu && !sites_[number].is_volatile;
  if (a.space == MemorySpace::Global) {
    if (!launch.strange.empty()) [[unlikely]]
      meet_api(x, a, launch);
    use_global(x, a);
    return;
  }
  if (!strong && in_words(a)) {
    if (warp.block != last_) {
      last_shared_ = shared_of(*warp.block).get();
      last_ = warp.block;
    }
    Shared* const shared = last_shared_;
    if (shared && shared->records.many()) [[unlikely]]
      forget_unused(shared);
    if (shared && shared->shadow.words() && !is_full(shared->records, launch)) {
      return use_words(x, a, record(x, shared->records, 0), *shared, warp.block);
    }
  }
  for (LaneMask m = a.mask; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const exec::Block* const owner = owner_of(warp, a.addresses[lane]);
    if (!owner) continue;
    if (owner != last_) {
      last_shared_ = shared_of(*owner).get();
      last_ = owner;
    }
    Shared* const shared = last_shared_;
    if (!shared) continue;
    if (shared->records.many()) [[unlikely]]
      forget_unused(shared);
    if (is_full(shared->records, launch)) continue;
    const Place place{a.addresses[lane] & kOffset, a.bytes_per_lane, owner};
    use(x, lane, place, record(x, shared->records, 0), shared->shadow, shared->records);
    if (strong) synchronise(x, lane, place, shared);
  }
}

// ---- order through memory

// Returns whether anything may have been passed on or taken.
bool Races::synchronise(Context& x, int lane, const Place& place, Shared* shared) {
  const Clocks::Order& order = sites_[x.site].order;
  const bool passes_on = order.writes && clocks.passes_on(x.me, lane, order);
  if (!passes_on && (shared ? shared->messages.empty() : messages_.empty())) return false;
  const auto handle = [&](auto& messages, auto key) {
    const auto it = messages.find(key);
    const bool has = it != messages.end();
    if (!has && !passes_on) return false;
    Message& message = has ? it->second : messages[key];
    clocks.synchronise(x.me, lane, order, message, has);
    return true;
  };
  if (shared) return handle(shared->messages, static_cast<std::uint32_t>(place.at));
  return handle(messages_, place.at);
}

}  // namespace emu::check
