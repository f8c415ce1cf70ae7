// SPDX-License-Identifier: MIT
// The weak memory mode: how releases, acquires, fences and barriers pass on what a thread knows.
#include "explore/weak_state.hpp"

namespace emu::exec {

// The thread has read what `origin` stored.
void WeakMemory::observe(Thread& t, std::size_t slot, const Origin* origin, const Order& o) {
  if (!o.strong) return;
  const Message* m = origin && origin->reaches(t.domains, o.scope) ? &origin->message : nullptr;
  const bool takes_all = o.acquire && t.domains[static_cast<std::size_t>(o.scope)] == kEverywhere;
  if (o.acquire) {
    if (m) take(t, *m, o.scope);
    // What came with earlier reads of this word counts now too.
    const auto kept = t.reads.find(slot);
    if (kept != t.reads.end()) {
      take(t, kept->second, o.scope);
      if (takes_all) t.reads.erase(kept);
    }
  }
  if (!m || takes_all) return;
  for (std::size_t s = 0; s < kScopes; ++s) {
    const View* const view = m->of(t.domains[s]);
    if (!view) continue;
    t.pending[s].join(*view);
    t.reads[slot].add(t.domains[s], *view);
  }
}

void WeakMemory::take(Thread& t, const Message& m, Scope scope) {
  for (std::size_t s = 0; s <= static_cast<std::size_t>(scope); ++s) {
    if (const View* const view = m.of(t.domains[s])) t.known.join(*view);
  }
}

// A strong store of this thread. `before`: the store it read, if it is an atomic.
std::shared_ptr<const WeakMemory::Origin> WeakMemory::origin_of(Thread& t, std::size_t slot,
                                                                const Origin* before,
                                                                const Order& o) {
  auto origin = std::make_shared<Origin>();
  origin->domains = t.domains;
  origin->scope = o.scope;
  Message& m = origin->message;
  if (o.release) {
    // All that it knew at an earlier release it knows now.
    Message& kept = t.releases[slot];
    for (std::size_t s = 0; s <= static_cast<std::size_t>(o.scope); ++s)
      kept.add(t.domains[s], t.known);
    m = kept;
  } else if (const auto kept = t.releases.find(slot); kept != t.releases.end()) {
    m = kept->second;
  }
  for (std::size_t s = 0; s < kScopes; ++s) m.add(t.domains[s], t.released[s]);
  if (before && before->reaches(t.domains, o.scope)) m.join(before->message);
  return origin;
}

void WeakMemory::fence(Thread& t, const Order& o) {
  const auto scopes = static_cast<std::size_t>(o.scope) + 1;
  if (o.acquire) {
    for (std::size_t s = 0; s < scopes; ++s) t.known.join(t.pending[s]);
  }
  if (o.sequential) {
    for (std::size_t s = 0; s < scopes; ++s) t.known.join(sequential_[t.domains[s]]);
    for (std::size_t s = 0; s < scopes; ++s) sequential_[t.domains[s]].join(t.known);
  }
  if (o.release) {
    for (std::size_t s = 0; s < scopes; ++s) t.released[s] = t.known;
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
