// SPDX-License-Identifier: MIT
// The weak memory mode: histories of stores, views of threads, and how instructions move them.
//
// The rules are those of a view machine for release, acquire and sequentially consistent fences
// without load buffering. Where PTX allows more than it is easy to show, less is shown.
#include "explore/weak_memory.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "access/access.hpp"
#include "explore/weak_state.hpp"
#include "semantics/splitmix.hpp"

namespace emu::exec {
namespace {

constexpr int kMostStale = 12;  // stale reads of a thread in a row: every store is seen some time

unsigned halves_of(std::uint64_t offset, std::uint64_t bytes) {
  return (offset < 4 ? 1u : 0u) | (offset + bytes > 4 ? 2u : 0u);
}

// Calls f(half, its slot in views) for the halves of the place that the piece touches.
void each_half(const auto& piece, auto&& f) {
  for (unsigned h = 0; h < 2; ++h) {
    if (halves_of(piece.from, piece.bytes) >> h & 1) f(h, piece.place->slot + h);
  }
}

}  // namespace

WeakMemory::WeakMemory(std::uint64_t seed, bool several)
    : random_(seed * 0x9e3779b97f4a7c15ull + 0x5851f42d4c957f2dull), several_(several) {}
WeakMemory::~WeakMemory() = default;

std::uint64_t WeakMemory::random() { return splitmix64(random_); }

WeakMemory::Thread& WeakMemory::thread(const Warp& warp, int lane) {
  return of_block(*warp.block).threads[warp.id * kLanes + static_cast<unsigned>(lane)];
}

const Order& WeakMemory::order(const Instr& in, const Grid& grid) {
  const auto found = orders_.find(&in);
  if (found != orders_.end()) return found->second;
  return orders_.emplace(&in, order_of(in, of_grid(grid).one_block_clusters)).first->second;
}

// ---- instructions

void WeakMemory::run(Warp& warp, const Instr& in, LaneMask lanes) {
  const Order& o = order(in, *warp.block->grid);
  switch (o.kind) {
    case Order::Kind::Load:
    case Order::Kind::Store:
    case Order::Kind::Atomic:
      for (LaneMask m = lanes; m; m &= m - 1) access(warp, in, o, __builtin_ctz(m));
      return;
    case Order::Kind::Fence:
      for (LaneMask m = lanes; m; m &= m - 1) {
        fence(thread(warp, __builtin_ctz(m)), o);
      }
      break;
    case Order::Kind::MbarrierArrive:
    case Order::Kind::MbarrierWait:
      for (LaneMask m = lanes; m; m &= m - 1) {
        View& barrier = of_block(*warp.block->cluster.front()).mbarriers;
        View& known = thread(warp, __builtin_ctz(m)).known;
        if (o.kind == Order::Kind::MbarrierWait)
          known.join(barrier);
        else
          barrier.join(known);
      }
      break;
    case Order::Kind::Other:
      break;
  }
  in.fn(warp, in, lanes);
}

// Where a lane's access goes; false if that memory is nobody else's, or kept strong. Shared memory
// gets an address of its own in each block.
bool WeakMemory::locate(Warp& warp, const Instr& in, int lane, std::uint64_t& address,
                        std::byte*& host, std::uint64_t& low, std::uint64_t& high) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  const AddressSpec& where = spec.where;
  if (where.space == ptx::Space::Local || where.space == ptx::Space::Param) return false;
  const LaneMask only = LaneMask{1} << lane;
  std::uint64_t addresses[kLanes];
  effective(warp, where, only, addresses);
  address = addresses[lane];
  const std::uint64_t window = address & memory::kWindowMask;
  if (where.space == ptx::Space::Generic && window != 0 && window != memory::kSharedWindow)
    return false;
  std::byte* at[kLanes];
  const bool shared = place_lanes(warp, in, where, spec.what, only, at) != 0;
  host = at[lane];
  if (!shared) {
    low = in.site->lo;
    high = in.site->hi;
    return true;
  }
  const Block& block = *warp.block;
  if (!of_grid(*block.grid).one_block_clusters) return false;
  const auto offset = static_cast<std::uint64_t>(host - block.shared.data());
  low = memory::kSharedWindow | of_block(block).number << memory::kClusterRankShift;
  high = low + block.shared.size();
  address = low + offset;
  return true;
}

// Without `create` only the places somebody has written to in this launch.
std::vector<WeakMemory::Piece>& WeakMemory::pieces(std::uint64_t address, std::byte* host,
                                                   std::uint64_t low, std::uint64_t high,
                                                   std::uint32_t bytes, bool create) {
  pieces_.clear();
  ++touches_;
  if (create && places_.size() + bytes / kGranule + 2 > kMostPlaces) forget_places();
  const std::uint64_t end = address + bytes;
  for (std::uint64_t at = address & ~(kGranule - 1); at < end; at += kGranule) {
    const std::uint64_t from = std::max(at, address), to = std::min(at + kGranule, end);
    std::byte* const start =
        host + (static_cast<std::int64_t>(at) - static_cast<std::int64_t>(address));
    auto found = places_.find(at / kGranule);
    if (found == places_.end()) {
      if (!create) continue;
      Place* const fresh = &new_place(at / kGranule);
      fresh->low = static_cast<unsigned>(std::max(at, low) - at);
      fresh->high = static_cast<unsigned>(std::min(at + kGranule, high) - at);
      Store& store = fresh->stores.emplace_back();
      store.time = fresh->start;
      store.bits = fresh->read(start);
      found = places_.find(at / kGranule);
    } else {
      found->second->note_foreign(start);
    }
    found->second->touched = touches_;
    pieces_.push_back({found->second.get(), start, static_cast<std::uint32_t>(from - at),
                       static_cast<std::uint32_t>(to - from)});
  }
  return pieces_;
}

WeakMemory::Place& WeakMemory::new_place(std::uint64_t key) {
  auto& place = places_[key];
  place = std::make_unique<Place>();
  if (free_slots_.empty()) {
    place->slot = next_slot_;
    next_slot_ += 2;
  } else {
    std::tie(place->slot, place->start) = free_slots_.back();
    free_slots_.pop_back();
  }
  return *place;
}

// Half of the places, those that were touched last, stay.
void WeakMemory::forget_places() {
  std::vector<std::uint64_t> touched;
  for (const auto& [key, place] : places_) touched.push_back(place->touched);
  const auto middle = touched.begin() + static_cast<std::ptrdiff_t>(touched.size() / 2);
  std::nth_element(touched.begin(), middle, touched.end());
  for (auto it = places_.begin(); it != places_.end();) {
    if (it->second->touched > *middle) {
      ++it;
      continue;
    }
    free_slots_.emplace_back(it->second->slot, it->second->next_time());
    it = places_.erase(it);
  }
}

void WeakMemory::access(Warp& warp, const Instr& in, const Order& o, int lane) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  std::uint64_t address = 0, low = 0, high = 0;
  std::byte* host = nullptr;
  if (!locate(warp, in, lane, address, host, low, high)) {
    in.fn(warp, in, LaneMask{1} << lane);
    return;
  }
  const bool reads = o.kind == Order::Kind::Load;
  pieces(address, host, low, high, spec.what.bytes, !reads);
  Thread& t = thread(warp, lane);
  if (reads) {
    load(warp, in, o, lane, t);
  } else {
    modify(warp, in, o, lane, t);
  }
}

// The store that a load reads, or an atomic: one that is not older than `oldest`.
const WeakMemory::Store& WeakMemory::choose(Thread& t, const Piece& p, Time oldest) {
  const std::vector<Store>& stores = p.place->stores;
  const auto from = std::find_if(stores.begin(), stores.end() - 1,
                                 [&](const Store& store) { return store.time >= oldest; });
  const auto older = stores.end() - 1 - from;
  if (older == 0) return stores.back();
  const std::uint64_t r = random();
  if ((r & 255) >= t.stale_of_256 || t.stale_run >= kMostStale) {
    t.stale_run = 0;
    return stores.back();
  }
  ++t.stale_run;
  return from[static_cast<std::ptrdiff_t>((r >> 8) % static_cast<std::uint64_t>(older))];
}

Time WeakMemory::oldest_of(const Thread& t, const Piece& p) const {
  Time oldest = 0;
  each_half(p, [&](unsigned, std::size_t slot) { oldest = std::max(oldest, t.known.at(slot)); });
  return oldest;
}

// An atomic reads what comes right before its own store, as far as the two count for each other. A
// weak store, or one whose scope is too narrow, may be overwritten unseen.
Time WeakMemory::oldest_of_atomic(const Thread& t, const Piece& p, const Order& o) const {
  Time oldest = oldest_of(t, p);
  for (const Store& store : p.place->stores) {
    each_half(p, [&](unsigned h, std::size_t) {
      if (store.origin[h] && store.origin[h]->reaches(t.domains, o.scope))
        oldest = std::max(oldest, store.time);
    });
  }
  return oldest;
}

// Memory as it was, put in place while a handler reads it.
struct WeakMemory::Patches {
  struct Patch {
    std::byte* at;
    std::uint32_t bytes;
    std::byte saved[kGranule];
  };
  Patch patches[8];
  int count = 0;

  void put(const Piece& p, const Store& store) {
    const auto* bits = reinterpret_cast<const std::byte*>(&store.bits) + p.from;
    std::byte* const at = p.host + p.from;
    if (std::memcmp(bits, at, p.bytes) == 0) return;
    Patch& patch = patches[count++];
    patch.at = at;
    patch.bytes = p.bytes;
    std::memcpy(patch.saved, at, p.bytes);
    std::memcpy(at, bits, p.bytes);
  }
  void take_back() const {
    for (int i = 0; i < count; ++i) std::memcpy(patches[i].at, patches[i].saved, patches[i].bytes);
  }
};

void WeakMemory::load(Warp& warp, const Instr& in, const Order& o, int lane, Thread& t) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  // 128 bits are read as one. PTX does not promise that of strong vectors, but GPUs do it and
  // NVIDIA's own scans rely on it.
  const bool newest = spec.element_bytes > kGranule || (o.strong && spec.what.bytes > kGranule);
  Patches patches;
  for (const Piece& p : pieces_) {
    const Store& store = newest ? p.place->stores.back() : choose(t, p, oldest_of(t, p));
    patches.put(p, store);
    each_half(p, [&](unsigned h, std::size_t slot) {
      // Only what is morally strong is observed: a weak load may go back to an older value again.
      const Origin* const origin = store.origin[h].get();
      if (o.strong && origin && origin->reaches(t.domains, o.scope))
        t.known.raise(slot, store.time);
      observe(t, slot, origin, o);
    });
  }
  in.fn(warp, in, LaneMask{1} << lane);
  patches.take_back();
  // A loop that read this will read something else some time: it is no livelock.
  warp.block->grid->memory_changes += patches.count != 0;
}

void WeakMemory::modify(Warp& warp, const Instr& in, const Order& o, int lane, Thread& t) {
  const bool atomic = o.kind == Order::Kind::Atomic;
  Patches patches;
  std::array<Store, 8> read;  // what an atomic read
  for (std::size_t i = 0; atomic && i < pieces_.size(); ++i) {
    const Piece& p = pieces_[i];
    read[i] = choose(t, p, oldest_of_atomic(t, p, o));
    patches.put(p, read[i]);
    each_half(p,
              [&](unsigned h, std::size_t slot) { observe(t, slot, read[i].origin[h].get(), o); });
  }
  in.fn(warp, in, LaneMask{1} << lane);
  const bool compares = in.source->has("cas");
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& p = pieces_[i];
    const Store& last = p.place->stores.back();
    const bool newest = !atomic || read[i].time == last.time;
    const bool left = atomic && same_bytes(p, newest ? last.bits : read[i].bits);
    if (left && (newest || compares)) {  // nothing was stored, or what was there
      if (!newest) put_back(p);
      if (continues(t, p, o)) continue;
      if (!newest) continue;
    }
    push(t, p, o, atomic ? &read[i] : nullptr);
  }
}

bool WeakMemory::same_bytes(const Piece& p, std::uint64_t bits) {
  return std::memcmp(p.host + p.from, reinterpret_cast<const std::byte*>(&bits) + p.from,
                     p.bytes) == 0;
}

// Memory holds the newest value.
void WeakMemory::put_back(const Piece& p) {
  const std::uint64_t& bits = p.place->stores.back().bits;
  std::memcpy(p.host + p.from, reinterpret_cast<const std::byte*>(&bits) + p.from, p.bytes);
}

// Whether a store of this thread may come before the last one that was made, which it does not know.
bool WeakMemory::fits_before(const Thread& t, const Piece& p) const {
  const std::vector<Store>& stores = p.place->stores;
  if (stores.size() < 2 || pieces_.size() > 1) return false;
  const Store &last = stores.back(), &before = stores[stores.size() - 2];
  return !last.atomic && last.from == p.from && last.bytes == p.bytes &&
         last.time - before.time > 1 && oldest_of(t, p) <= before.time;
}

// What the handler has stored enters the history. `read`: of an atomic.
void WeakMemory::push(Thread& t, const Piece& p, const Order& o, const Store* read) {
  Place& place = *p.place;
  const bool behind = !read && fits_before(t, p) && (random() & 511) < t.stale_of_256;
  Store store = place.stores.back();
  store.bits = place.read(p.host);
  store.from = p.from;
  store.bytes = p.bytes;
  store.atomic = read != nullptr;
  store.time = place.next_time();
  if (behind) {
    const Time before = place.stores[place.stores.size() - 2].time;
    store.time = before + (place.stores.back().time - before) / 2;
  }
  each_half(p, [&](unsigned, std::size_t slot) { t.known.raise(slot, store.time); });
  each_half(p, [&](unsigned h, std::size_t slot) {
    store.origin[h] =
        o.strong ? origin_of(t, slot, read ? read->origin[h].get() : nullptr, o) : nullptr;
  });
  if (behind) {
    place.insert_before_last(std::move(store));
    put_back(p);
  } else {
    place.push(std::move(store));
  }
}

// An atomic that leaves the value as it was adds what it releases to the store it read, if those who
// read that store are the same: a lock that many ask for would otherwise soon have no history.
bool WeakMemory::continues(Thread& t, const Piece& p, const Order& o) {
  Store& store = p.place->stores.back();
  std::array<std::shared_ptr<const Origin>, 2> joined = store.origin;
  for (unsigned h = 0; h < 2; ++h) {
    if (!(halves_of(p.from, p.bytes) >> h & 1)) continue;
    const std::size_t slot = p.place->slot + h;
    t.known.raise(slot, store.time);
    const Origin* before = store.origin[h].get();
    const auto own = origin_of(t, slot, nullptr, o);
    if (own->message.wide.empty() && own->message.near.empty()) continue;
    if (!before || before->scope != o.scope || !before->reaches(t.domains, o.scope)) return false;
    auto both = std::make_shared<Origin>(*before);
    both->message.join(own->message);
    joined[h] = std::move(both);
  }
  store.origin = std::move(joined);
  return true;
}

}  // namespace emu::exec
