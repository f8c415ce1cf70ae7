// SPDX-License-Identifier: MIT
// What the weak memory mode keeps: the stores of a place, the views of a thread, those of a block.
#pragma once

#include <algorithm>
#include <cstring>

#include "explore/weak_memory.hpp"
#include "machine/grid.hpp"

namespace emu::exec {

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
  std::uint64_t touched = 0;          // when it was last used
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

}  // namespace emu::exec
