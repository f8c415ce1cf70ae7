// SPDX-License-Identifier: MIT
// The weak memory mode: how releases, acquires, fences and barriers pass on what a thread knows.
#include "explore/weak_state.hpp"

namespace emu::exec {

// The thread has read what `origin` stored.
void WeakMemory::observe(Thread& t, std::size_t slot, const Origin* origin, const Order& o) {
  if (!o.strong) return;
  const Message* m = origin && origin->reaches(t.block, o.wide) ? &origin->message : nullptr;
  if (o.acquire) {
    if (m) take(t, *m, o.wide);
    // What came with earlier reads of this word counts now too.
    const auto kept = t.reads.find(slot);
    if (kept != t.reads.end()) {
      take(t, kept->second, o.wide);
      if (o.wide) t.reads.erase(kept);
    }
  }
  if (!m || (o.acquire && o.wide)) return;
  const View* near = m->near_of(t.block);
  if (!near && m->wide.empty()) return;
  Message& kept = t.reads[slot];
  if (near) {
    t.pending_near.join(*near);
    kept.add_near(t.block, *near);
  }
  t.pending_wide.join(m->wide);
  kept.wide.join(m->wide);
}

void WeakMemory::take(Thread& t, const Message& m, bool wide) {
  const View* near = m.near_of(t.block);
  if (near) t.known.join(*near);
  if (wide && !(near && near->same(m.wide))) t.known.join(m.wide);
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
    // All that it knew at an earlier release it knows now.
    if (o.wide) kept.wide = t.known;
    kept.near.clear();
    kept.add_near(t.block, t.known);
    m = kept;
  } else if (const auto kept = t.releases.find(slot); kept != t.releases.end()) {
    m = kept->second;
  }
  if (!(o.release && o.wide)) {
    m.wide.join(t.released_wide);
    m.add_near(t.block, t.released_near);
  }
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
