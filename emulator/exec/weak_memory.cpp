// SPDX-License-Identifier: MIT
// The weak memory mode: histories of stores, views of threads, and how instructions move them.
//
// The rules are those of a view machine for release, acquire and sequentially consistent fences
// without load buffering. Where PTX allows more than it is easy to show, less is shown: the order of
// stores to one place is the order of execution, weak loads are coherent, atomics read the newest.
#include "exec/weak_memory.hpp"

#include <algorithm>
#include <cstring>

#include "exec/access.hpp"

namespace emu::exec {
namespace {

constexpr std::size_t kHistory = 16;  // stores kept of one place
constexpr int kMostStale = 12;  // stale reads of a thread in a row: every store is seen some time
constexpr std::uint64_t kGranule = 8;

unsigned halves_of(std::uint64_t offset, std::uint64_t bytes) {
  return (offset < 4 ? 1u : 0u) | (offset + bytes > 4 ? 2u : 0u);
}

}  // namespace

// A strong store: by whom, at which scope, and what comes with it.
struct WeakMemory::Origin {
  std::uint64_t block = 0;
  bool wide = false;
  Message message;

  // Whether it and an access of a thread of `other` at scope `other_wide` count for each other.
  bool reaches(std::uint64_t other, bool other_wide) const {
    return block == other || (wide && other_wide);
  }
};

struct WeakMemory::Store {
  std::uint64_t bits = 0;  // the place after it
  // The strong store each half comes from, if any: 32-bit neighbours are ordered on their own.
  std::array<std::shared_ptr<const Origin>, 2> origin;
};

struct WeakMemory::Place {
  std::size_t slot = 0;               // of the lower half in views
  unsigned low = 0, high = kGranule;  // bytes that are inside the allocation
  Time first = 0;                     // of stores.front()
  std::vector<Store> stores;

  Time newest() const { return first + static_cast<Time>(stores.size()) - 1; }
  const Store& at(Time time) const { return stores[time - first]; }
  std::uint64_t read(const std::byte* host) const {
    std::uint64_t bits = 0;
    std::memcpy(reinterpret_cast<std::byte*>(&bits) + low, host + low, high - low);
    return bits;
  }
  void push(Store store) {
    if (stores.size() == kHistory) {
      stores.erase(stores.begin());
      ++first;
    }
    stores.push_back(std::move(store));
  }
  // Something that is no thread wrote here (an asynchronous copy, the host): all see it at once.
  void note_foreign(const std::byte* host) {
    const std::uint64_t bits = read(host);
    if (bits == stores.back().bits) return;
    const Time now = newest() + 1;
    stores.clear();
    stores.push_back({bits, {}});
    first = now;
  }
};

// The part of an access that lies in one place.
struct WeakMemory::Piece {
  Place* place;
  std::byte* host;            // first byte of the place
  std::uint32_t from, bytes;  // in the place
};

struct WeakMemory::Thread {
  std::uint64_t block = 0;
  unsigned stale_of_256 = 128;  // how often it reads an older value where it may
  int stale_run = 0;
  View known;                         // what it may read at the oldest
  View pending_near, pending_wide;    // came with relaxed reads: for an acquire fence
  View released_near, released_wide;  // known at its last release fence: goes with relaxed stores
  // By word: what came with its strong reads of it, for a later acquire of the same word, and what
  // its releases on it published, which its later strong stores to it carry too.
  std::unordered_map<std::size_t, Message> reads, releases;
};

struct WeakMemory::OfBlock {
  std::uint64_t linear = 0;
  std::vector<Thread> threads;
  std::array<View, kClusterBarrier + 1> barriers;
  View sequential;  // what its fences of sequential consistency have seen, at any scope
  View mbarriers;   // all mbarriers of the cluster, kept with its first block
};

WeakMemory::WeakMemory(const Grid& grid, std::uint64_t seed)
    : random_(seed * 0x9e3779b97f4a7c15ull + 0x5851f42d4c957f2dull),
      one_block_clusters_(grid.cluster.count() == 1) {}
WeakMemory::~WeakMemory() = default;

std::uint64_t WeakMemory::random() {  // splitmix64
  std::uint64_t z = random_ += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

WeakMemory::OfBlock& WeakMemory::of_block(const Block& block) {
  auto& kept = blocks_[&block];
  if (!kept || kept->linear != block.linear) {  // the next block in the same place
    kept = std::make_unique<OfBlock>();
    kept->linear = block.linear;
    kept->threads.resize(block.warps.size() * kLanes);
    for (Thread& t : kept->threads) {
      constexpr unsigned kChances[] = {64, 128, 192, 240};
      t.block = block.linear;
      t.stale_of_256 = kChances[random() & 3];
    }
  }
  return *kept;
}

WeakMemory::Thread& WeakMemory::thread(const Warp& warp, int lane) {
  return of_block(*warp.block).threads[warp.id * kLanes + static_cast<unsigned>(lane)];
}

const Order& WeakMemory::order(const Instr& in) {
  const auto found = orders_.find(&in);
  if (found != orders_.end()) return found->second;
  return orders_.emplace(&in, order_of(in, one_block_clusters_)).first->second;
}

// ---- instructions

void WeakMemory::run(Warp& warp, const Instr& in, LaneMask lanes) {
  const Order& o = order(in);
  switch (o.kind) {
    case Order::Kind::Load:
    case Order::Kind::Store:
    case Order::Kind::Atomic:
      for (LaneMask m = lanes; m; m &= m - 1) access(warp, in, o, __builtin_ctz(m));
      return;
    case Order::Kind::Fence:
      for (LaneMask m = lanes; m; m &= m - 1) {
        fence(of_block(*warp.block), thread(warp, __builtin_ctz(m)), o);
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
  if (!one_block_clusters_) return false;
  const Block& block = *warp.block;
  const auto offset = static_cast<std::uint64_t>(host - block.shared.data());
  low = memory::kSharedWindow | block.linear << memory::kClusterRankShift;
  high = low + block.shared.size();
  address = low + offset;
  return true;
}

// Without `create` only the places somebody has written to in this launch.
std::vector<WeakMemory::Piece>& WeakMemory::pieces(std::uint64_t address, std::byte* host,
                                                   std::uint64_t low, std::uint64_t high,
                                                   std::uint32_t bytes, bool create) {
  pieces_.clear();
  const std::uint64_t end = address + bytes;
  for (std::uint64_t at = address & ~(kGranule - 1); at < end; at += kGranule) {
    const std::uint64_t from = std::max(at, address), to = std::min(at + kGranule, end);
    std::byte* const start =
        host + (static_cast<std::int64_t>(at) - static_cast<std::int64_t>(address));
    auto found = places_.find(at / kGranule);
    if (found == places_.end()) {
      if (!create) continue;
      auto fresh = std::make_unique<Place>();
      fresh->slot = 2 * places_.size();
      fresh->low = static_cast<unsigned>(std::max(at, low) - at);
      fresh->high = static_cast<unsigned>(std::min(at + kGranule, high) - at);
      fresh->stores.push_back({fresh->read(start), {}});
      found = places_.emplace(at / kGranule, std::move(fresh)).first;
    } else {
      found->second->note_foreign(start);
    }
    pieces_.push_back({found->second.get(), start, static_cast<std::uint32_t>(from - at),
                       static_cast<std::uint32_t>(to - from)});
  }
  return pieces_;
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

// The store that a load reads.
Time WeakMemory::choose(Thread& t, const Place& place, unsigned halves, bool newest) {
  Time oldest = place.first;
  if (halves & 1) oldest = std::max(oldest, t.known.at(place.slot));
  if (halves & 2) oldest = std::max(oldest, t.known.at(place.slot + 1));
  const Time last = place.newest();
  if (newest || oldest >= last) return last;
  const std::uint64_t r = random();
  if ((r & 255) >= t.stale_of_256 || t.stale_run >= kMostStale) {
    t.stale_run = 0;
    return last;
  }
  ++t.stale_run;
  return oldest + static_cast<Time>((r >> 8) % (last - oldest));
}

void WeakMemory::load(Warp& warp, const Instr& in, const Order& o, int lane, Thread& t) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  const bool newest = spec.element_bytes > kGranule;  // 128 bits are read as one
  // Memory as it was is put in place while the handler reads it.
  struct Patch {
    std::byte* at;
    std::uint32_t bytes;
    std::byte saved[kGranule];
  };
  Patch patches[8];
  int patched = 0;
  for (const Piece& p : pieces_) {
    Place& place = *p.place;
    const unsigned halves = halves_of(p.from, p.bytes);
    const Time time = choose(t, place, halves, newest);
    const Store& store = place.at(time);
    const auto* bits = reinterpret_cast<const std::byte*>(&store.bits) + p.from;
    std::byte* const at = p.host + p.from;
    if (std::memcmp(bits, at, p.bytes) != 0) {
      Patch& patch = patches[patched++];
      patch.at = at;
      patch.bytes = p.bytes;
      std::memcpy(patch.saved, at, p.bytes);
      std::memcpy(at, bits, p.bytes);
    }
    for (unsigned h = 0; h < 2; ++h) {
      if (!(halves >> h & 1)) continue;
      t.known.raise(place.slot + h, time);
      observe(t, place.slot + h, store.origin[h].get(), o);
    }
  }
  in.fn(warp, in, LaneMask{1} << lane);
  for (int i = 0; i < patched; ++i) std::memcpy(patches[i].at, patches[i].saved, patches[i].bytes);
  // A loop that read this will read something else some time: it is no livelock.
  warp.block->grid->memory_changes += patched != 0;
}

void WeakMemory::modify(Warp& warp, const Instr& in, const Order& o, int lane, Thread& t) {
  const bool atomic = o.kind == Order::Kind::Atomic;
  const auto each_half = [](const Piece& p, auto&& f) {
    for (unsigned h = 0; h < 2; ++h) {
      if (halves_of(p.from, p.bytes) >> h & 1) f(h, p.place->slot + h);
    }
  };
  if (atomic) {
    for (const Piece& p : pieces_) {
      each_half(p, [&](unsigned h, std::size_t slot) {
        observe(t, slot, p.place->stores.back().origin[h].get(), o);
      });
    }
  }
  in.fn(warp, in, LaneMask{1} << lane);
  for (const Piece& p : pieces_) {
    Place& place = *p.place;
    Store store = place.stores.back();
    const std::uint64_t bits = place.read(p.host);
    // An atomic that leaves the value as it was continues the store it read: a lock that many ask
    // for would otherwise soon have no history.
    const bool continues = atomic && bits == store.bits;
    const Time time = place.newest() + (continues ? 0 : 1);
    store.bits = bits;
    each_half(p, [&](unsigned, std::size_t slot) { t.known.raise(slot, time); });
    each_half(p, [&](unsigned h, std::size_t slot) {
      store.origin[h] =
          o.strong ? origin_of(t, slot, atomic ? store.origin[h].get() : nullptr, o) : nullptr;
    });
    if (continues) {
      place.stores.back() = std::move(store);
    } else {
      place.push(std::move(store));
    }
  }
}

// ---- what orders

// The thread has read what `origin` stored.
void WeakMemory::observe(Thread& t, std::size_t slot, const Origin* origin, const Order& o) {
  if (!o.strong) return;
  if (origin && origin->reaches(t.block, o.wide)) {
    const Message& m = origin->message;
    const View* near = m.near_of(t.block);
    if (near) t.pending_near.join(*near);
    t.pending_wide.join(m.wide);
    if (near || !m.wide.empty()) {
      Message& kept = t.reads[slot];
      kept.wide.join(m.wide);
      if (near) kept.add_near(t.block, *near);
    }
  }
  if (!o.acquire) return;
  const auto kept = t.reads.find(slot);
  if (kept == t.reads.end()) return;
  if (const View* near = kept->second.near_of(t.block)) t.known.join(*near);
  if (o.wide) t.known.join(kept->second.wide);
}

// A strong store of this thread. `before`: the store it read, if it is an atomic.
std::shared_ptr<const WeakMemory::Origin> WeakMemory::origin_of(Thread& t, std::size_t slot,
                                                                const Origin* before,
                                                                const Order& o) {
  auto origin = std::make_shared<Origin>();
  origin->block = t.block;
  origin->wide = o.wide;
  Message& m = origin->message;
  if (o.release) {
    Message& kept = t.releases[slot];
    if (o.wide) kept.wide.join(t.known);
    kept.add_near(t.block, t.known);
    m = kept;
  } else if (const auto kept = t.releases.find(slot); kept != t.releases.end()) {
    m = kept->second;
  }
  m.wide.join(t.released_wide);
  m.add_near(t.block, t.released_near);
  if (before && before->reaches(t.block, o.wide)) m.join(before->message);
  return origin;
}

void WeakMemory::fence(OfBlock& block, Thread& t, const Order& o) {
  if (o.acquire) {
    t.known.join(t.pending_near);
    if (o.wide) t.known.join(t.pending_wide);
  }
  if (o.sequential) {
    t.known.join(block.sequential);
    if (o.wide) {
      t.known.join(sequential_);
      sequential_.join(t.known);
    }
    block.sequential.join(t.known);
  }
  if (o.release) {
    t.released_near = t.known;
    if (o.wide) t.released_wide = t.known;
  }
}

void WeakMemory::meet(const Warp& warp, LaneMask lanes) {
  View all;
  for (LaneMask m = lanes; m; m &= m - 1) all.join(thread(warp, __builtin_ctz(m)).known);
  leave(warp, lanes, all);
}

void WeakMemory::arrive(const Warp& warp, LaneMask lanes, std::uint32_t barrier) {
  const Block& keeper = barrier == kClusterBarrier ? *warp.block->cluster.front() : *warp.block;
  for (LaneMask m = lanes; m; m &= m - 1) {
    const View& known = thread(warp, __builtin_ctz(m)).known;
    of_block(keeper).barriers[barrier].join(known);
  }
}

View WeakMemory::complete(const Block& block, std::uint32_t barrier) {
  // The cluster's is not split into phases: blocks leave one phase while others are in the next.
  if (barrier == kClusterBarrier) return of_block(*block.cluster.front()).barriers[barrier];
  return std::exchange(of_block(block).barriers[barrier], View{});
}

void WeakMemory::leave(const Warp& warp, LaneMask lanes, const View& known) {
  for (LaneMask m = lanes; m; m &= m - 1) thread(warp, __builtin_ctz(m)).known.join(known);
}

}  // namespace emu::exec
