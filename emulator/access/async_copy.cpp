// SPDX-License-Identifier: MIT
// Makes queued copies when their time has come.
#include "access/async_copy.hpp"

#include <cstring>
#include <utility>

#include "access/mbarrier.hpp"

namespace emu::exec {

using memory::AddressSpace;

namespace {

// Where a place is now. Memory may have been freed since the copy was issued.
std::byte* host_of(const Place& place, std::uint32_t bytes) {
  if (place.block) return place.block->shared.data() + place.at;
  std::byte* p = AddressSpace::instance().host(place.at, bytes);
  if (!p) {
    fault(FaultKind::FreedMemory, -1,
          "an asynchronous copy of " + std::to_string(bytes) + " bytes at " +
              AddressSpace::instance().describe(place.at, bytes));
  }
  return p;
}

void read_source(Move& move) {
  if (move.read) return;
  const std::byte* p = host_of(move.from, move.bytes);
  move.data.assign(p, p + move.bytes);
  move.read = true;
}

void make(Move& move) {
  std::byte* to = host_of(move.to, move.bytes);
  const std::byte* from = move.read ? move.data.data() : host_of(move.from, move.bytes);
  if (!move.combine) {
    std::memmove(to, from, move.bytes);
    return;
  }
  for (std::uint32_t i = 0; i < move.bytes; i += move.element_bytes) {
    move.combine(to + i, from + i, move.to.block != nullptr);
  }
}

void make_lane(AsyncCopies::Copy& copy, int lane) {
  const std::uint32_t n = copy.source_bytes[lane];
  const std::byte* from = copy.from[lane];
  if (n && copy.epoch != AddressSpace::epoch()) from = host_of({nullptr, copy.source[lane]}, n);
  if (n) std::memcpy(copy.to[lane], from, n);
  std::memset(copy.to[lane] + n, 0, copy.bytes - n);
  copy.left &= ~(LaneMask{1} << lane);
}

void drop_made(std::deque<AsyncCopies::Copy>& copies) {
  while (!copies.empty() && !copies.front().left) copies.pop_front();
}

// This lane's copies issued up to a serial number; tell(number) for each.
template <class Tell>
void make_up_to(AsyncCopies::OfWarp& warp, int lane, std::uint64_t serial, Tell&& tell) {
  for (auto& copy : warp.copies) {
    if (copy.serial > serial) break;
    if (!(copy.left >> lane & 1)) continue;
    make_lane(copy, lane);
    tell(copy.told[lane]);
  }
  drop_made(warp.copies);
}

}  // namespace

AsyncCopies& async_of(Block& block) {
  if (!block.async) block.async = std::make_shared<AsyncCopies>();
  return *block.async;
}

AsyncCopies::OfWarp& async_of(Warp& warp) {
  auto& warps = async_of(*warp.block).warps;
  while (warps.size() <= warp.id) warps.emplace_back();
  return warps[warp.id];
}

void finish_groups(Warp& warp, LaneMask mask, std::uint32_t keep) {
  if (!warp.block->async) return;
  auto& mine = async_of(warp);
  bool changed = false;
  for (auto& copy : mine.copies) {
    for (LaneMask m = copy.left & mask; m; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (std::uint64_t{copy.group[lane]} + keep >= mine.groups[lane]) continue;
      make_lane(copy, lane);
      changed = true;
      if (warp.observer) warp.observer->copy_waited(warp, copy.told[lane], false);
    }
  }
  drop_made(mine.copies);
  warp.block->grid->memory_changes += changed;
}

void finish_bulk_groups(Warp& warp, LaneMask mask, std::uint32_t keep, bool read_only) {
  if (!warp.block->async) return;
  auto& mine = async_of(warp);
  for (auto it = mine.bulks.begin(); it != mine.bulks.end();) {
    const bool due =
        (mask >> it->lane & 1) && std::uint64_t{it->group} + keep < mine.bulk_groups[it->lane];
    if (due && read_only) read_source(it->move);
    if (due && warp.observer) warp.observer->copy_waited(warp, it->move.told, read_only);
    if (due && !read_only) {
      make(it->move);
      it = mine.bulks.erase(it);
      ++warp.block->grid->memory_changes;
    } else {
      ++it;
    }
  }
}

void finish_counted(Block& block, std::uint32_t mbarrier) {
  if (!block.async) return;
  auto& counted = block.async->counted;
  for (auto it = counted.begin(); it != counted.end();) {
    if (it->mbarrier != mbarrier) {
      ++it;
      continue;
    }
    AsyncCopies::Counted due = std::move(*it);
    it = counted.erase(it);
    Mbarrier barrier(block.shared.data() + mbarrier, -1);
    const auto tell = [&](std::uint64_t copy) {
      observe::Observer* const observer = block.grid->observer;
      if (observer) observer->copy_counted(block, mbarrier, barrier.phase(), copy);
    };
    if (due.bytes) {
      make(due.move);
      tell(due.move.told);
      barrier.complete_tx(due.bytes);
    } else {
      make_up_to(block.async->warps[due.warp], static_cast<int>(due.lane), due.serial, tell);
      barrier.arrive(1);
    }
    ++block.grid->memory_changes;
  }
}

void count_move(Block& block, std::uint32_t mbarrier, Move move) {
  AsyncCopies::Counted c;
  c.mbarrier = mbarrier;
  c.bytes = move.bytes;
  c.move = std::move(move);
  async_of(block).counted.push_back(std::move(c));
}

void finish_async(Block& block) {
  for (Block* peer : block.cluster) {
    if (peer == &block || !peer->async) continue;
    for (auto& c : peer->async->counted) {
      if (c.move.from.block == &block) read_source(c.move);
    }
  }
  if (!block.async) return;
  for (auto& warp : block.async->warps) {
    for (auto& bulk : warp.bulks) {
      if (!bulk.move.to.block) {
        make(bulk.move);
        ++block.grid->memory_changes;
      }
    }
  }
  block.async.reset();
}

}  // namespace emu::exec
