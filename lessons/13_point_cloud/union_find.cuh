// SPDX-License-Identifier: MIT
// Who is connected with whom? A forest of all points: each has a parent, and whoever is its own parent is
// the root of a tree. Two points are connected if they have the same root. Nothing but this file is needed.
//
// Threads unite at the same time, without a lock. Why it is right:
//   1. A parent is never larger than its child: unite() hangs the larger root under the smaller one, and
//      root() replaces a parent by a grandparent. So there are no cycles, and every walk ends.
//   2. Only a root gets a parent by unite(), in one exchange that fails if it is none any more. Whoever
//      fails begins again at the roots that there are now; somebody else has made progress.
//   3. Whoever has been under a root stays under it. A root may get a parent later: then all of its tree
//      comes along. So what is connected stays connected, and nothing is connected that nobody united.
// A word is changed by one exchange and carries nothing but itself: relaxed order is enough.
#pragma once

#include <cstdint>
#include <cuda/atomic>

namespace lesson13 {

struct ForestOrders {
  static constexpr auto kScope = cuda::thread_scope_device;
  static constexpr auto kOrder = cuda::memory_order_relaxed;
};

template <class Orders = ForestOrders>
struct ForestOf {
  std::uint32_t* parents;

  using Word = cuda::atomic_ref<std::uint32_t, Orders::kScope>;
  __device__ std::uint32_t parent(std::uint32_t x) const {
    return Word(parents[x]).load(Orders::kOrder);
  }
  // The root of x at some moment during the call. The path becomes half as long on the way.
  __device__ std::uint32_t root(std::uint32_t x) const {
    for (;;) {
      const std::uint32_t up = parent(x);
      if (up == x) return x;
      const std::uint32_t higher = parent(up);
      if (higher == up) return up;
      Word(parents[x]).store(higher, Orders::kOrder);
      x = higher;
    }
  }
  // From now on a and b are connected. True: they were not before.
  __device__ bool unite(std::uint32_t a, std::uint32_t b) const {
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return false;
      const std::uint32_t small = a < b ? a : b, large = a < b ? b : a;
      std::uint32_t seen = large;
      if (Word(parents[large]).compare_exchange_strong(seen, small, Orders::kOrder)) return true;
    }
  }
  // While nobody unites: ordinary loads, which may come from the L1 cache.
  __device__ std::uint32_t settled_root(std::uint32_t x) const {
    for (std::uint32_t up; (up = parents[x]) != x;) x = up;
    return x;
  }
};
using Forest = ForestOf<>;

}  // namespace lesson13
