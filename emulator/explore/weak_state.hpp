// SPDX-License-Identifier: MIT
// What the weak memory mode keeps: the stores of a place, the views of a thread, those of a block.
#pragma once

#include <algorithm>
#include <cstring>

#include "explore/weak_memory.hpp"
#include "machine/grid.hpp"

namespace emu::exec {

// The domains of a thread, by scope.
using Domains = std::array<Domain, kScopes>;

// A strong store: by whom, at which scope, and what comes with it.
struct WeakMemory::Origin {
  Domains domains;
  Scope scope = Scope::Block;
  Message message;

  // Whether it and an access of another thread at some scope are morally strong for each other.
  bool reaches(const Domains& other, Scope other_scope) const {
    const auto widest = static_cast<std::size_t>(std::min(scope, other_scope));
    for (std::size_t s = 0; s <= widest; ++s) {
      if (domains[s] == other[s]) return true;
    }
    return false;
  }
};

struct WeakMemory::Store {
  Time time = 0;
  std::uint64_t bits = 0;  // the place after it
  // The bytes it wrote, and whether it was an atomic's, so that nothing comes before it.
  std::uint32_t from = 0, bytes = 0;
  bool atomic = false;
  // The strong store each half comes from, if any: 32-bit neighbours are ordered on their own.
  std::array<std::shared_ptr<const Origin>, 2> origin;
};

struct WeakMemory::Place {
  std::size_t slot = 0;               // of the lower half in views
  std::uint64_t touched = 0;          // when it was last used
  unsigned low = 0, high = kGranule;  // bytes that are inside the allocation
  Time start = 0;                     // of its first store
  std::vector<Store> stores;          // in their order

  Time next_time() const { return stores.back().time + kTimeGap; }
  std::uint64_t read(const std::byte* host) const {
    std::uint64_t bits = 0;
    std::memcpy(reinterpret_cast<std::byte*>(&bits) + low, host + low, high - low);
    return bits;
  }
  void push(Store store) {
    if (stores.size() == kHistory) stores.erase(stores.begin());
    stores.push_back(std::move(store));
  }
  void insert_before_last(Store store) {
    if (stores.size() == kHistory) stores.erase(stores.begin());
    stores.insert(stores.end() - 1, std::move(store));
  }
  // Something that is no thread wrote here (an asynchronous copy, the host): all see it at once.
  void note_foreign(const std::byte* host) {
    const std::uint64_t bits = read(host);
    if (bits == stores.back().bits) return;
    const Time now = next_time();
    stores.clear();
    Store& store = stores.emplace_back();
    store.time = now;
    store.bits = bits;
  }
};

// The part of an access that lies in one place.
struct WeakMemory::Piece {
  Place* place;
  std::byte* host;            // first byte of the place
  std::uint32_t from, bytes;  // in the place
};

struct WeakMemory::Thread {
  Domains domains{};
  unsigned stale_of_256 = 128;  // how often it reads an older value where it may
  int stale_run = 0;
  View known;                          // what it may read at the oldest
  std::array<View, kScopes> pending;   // came with relaxed reads: for an acquire fence of the scope
  std::array<View, kScopes> released;  // known at its last release fence: goes with relaxed stores
  // By word: what came with its strong reads of it, for a later acquire of the same word, and what
  // its releases on it published, which its later strong stores to it carry too.
  std::unordered_map<std::size_t, Message> reads, releases;
};

// A launch that is under way.
struct WeakMemory::OfGrid {
  std::uint64_t first = 0;  // number of its first block: blocks of all launches are counted on
  bool one_block_clusters = true;
};

struct WeakMemory::OfBlock {
  std::uint64_t linear = 0;
  std::uint64_t number = 0;  // among the blocks of all launches
  const Grid* grid = nullptr;
  std::vector<Thread> threads;
  std::array<View, kClusterBarrier + 1> barriers;
  View mbarriers;  // all mbarriers of the cluster, kept with its first block
};

}  // namespace emu::exec
