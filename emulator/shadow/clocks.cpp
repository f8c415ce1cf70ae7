// SPDX-License-Identifier: MIT
#include "shadow/clocks.hpp"

#include <algorithm>
#include <bit>

namespace emu::check {
namespace {

// Neighbouring lanes have neighbouring slots, so that they share a part of a view. Often only the first of a warp passes
// something on, so that a warp does not take slots for all of them at once.
constexpr std::size_t kTogether = 8;

template <class F>
void each(LaneMask lanes, F&& f) {
  for (LaneMask m = lanes; m; m &= m - 1) f(std::countr_zero(m));
}

}  // namespace

void Clocks::forget() {
  launches_.clear();
  blocks_.clear();
  clusters_.clear();
  for (auto& slots : slots_) slots.clear();
  first_ = {};
  last_ = nullptr;
  next_slot_ = 0;
  now_ = 1;
  next_agent_ = 1;
}

KeptLaunch* Clocks::begin(const exec::Grid& grid, const Orders& orders) {
  KeptLaunch* const launch = launches_.begin(grid, orders);
  if (!launch) return nullptr;
  if (several_) {
    launch->begins = known_behind(launch->before, orders);
    return launch;
  }
  // With one device launches pass on nothing but by their order: no view of an earlier one is left.
  for (auto& slots : slots_) slots.clear();
  const std::uint64_t first_threads = std::uint64_t{launch->first_warp} * kLanes / kTogether;
  first_ = {first_threads, launch->first_warp, launch->first_block, next_agent_, 0};
  next_slot_ = 0;
  now_ = 1;
  return launch;
}

void Clocks::end(const exec::Grid& grid) {
  // Those of a launch that failed have not ended.
  std::erase_if(blocks_, [&](const auto& block) { return block.second->launch->running == &grid; });
  last_ = nullptr;
  launches_.end(grid);
}

void Clocks::start(const exec::Block& block) {
  KeptLaunch* const launch = launches_.of(*block.grid);
  if (!launch) return;
  auto& clock = blocks_[&block];
  clock = std::make_unique<BlockClock>();
  clock->launch = launch;
  clock->number = launch->first_block + block.linear;
  clock->cluster =
      launch->first_block + (block.cluster.empty() ? block.linear : block.cluster.front()->linear);
  clock->first_warp =
      launch->first_warp + static_cast<std::uint32_t>(block.linear) * launch->warps_per_block;
  clock->count = launch->warps_per_block;
  clock->since = now_;
  clock->view = launch->begins;
  clock->warps.resize(block.warps.size());
  for (std::size_t i = 0; i < clock->warps.size(); ++i) {
    clock->warps[i].number = clock->first_warp + static_cast<std::uint32_t>(i);
    clock->warps[i].since = now_;
  }
  last_ = nullptr;
}

void Clocks::end(const exec::Block& block) {
  const auto it = blocks_.find(&block);
  if (it == blocks_.end()) return;
  if (several_) {
    View& ended = it->second->launch->ended;
    ended.join(it->second->view);
    for (const WarpClock& warp : it->second->warps) {
      if (!warp.lanes || !warp.outside) continue;
      for (const LaneClock& clock : *warp.lanes) ended.join(clock.known);
    }
  }
  blocks_.erase(it);
  last_ = nullptr;
}

BlockClock* Clocks::find(const exec::Block& block) {
  if (&block != last_) {
    const auto it = blocks_.find(&block);
    last_ = &block;
    last_clock_ = it == blocks_.end() ? nullptr : it->second.get();
  }
  return last_clock_;
}

Who Clocks::who(const exec::Warp& warp) {
  BlockClock* const block = find(*warp.block);
  return {block, block ? &block->warps[warp.id] : nullptr};
}

// ---- what is known

std::size_t Clocks::slot(Unit unit, std::uint64_t number) {
  const bool thread = unit == Unit::Thread;
  const auto of = static_cast<std::size_t>(unit);
  const std::uint64_t group = (thread ? number / kTogether : number) - first_[of];
  auto& slots = slots_[of];
  if (group >= slots.size()) slots.resize(group + group / 2 + 1);
  std::uint32_t& known = slots[group];
  if (known == 0) {
    if (thread) next_slot_ = (next_slot_ + kTogether - 1) / kTogether * kTogether;
    known = static_cast<std::uint32_t>(next_slot_ + 1);
    next_slot_ += thread ? kTogether : 1;
  }
  return known - 1 + (thread ? number % kTogether : 0);
}

bool Clocks::at_least(const View& view, Unit unit, std::uint64_t number, Time time) const {
  const bool thread = unit == Unit::Thread;
  const auto of = static_cast<std::size_t>(unit);
  const std::uint64_t group = (thread ? number / kTogether : number) - first_[of];
  const auto& slots = slots_[of];
  if (group >= slots.size() || slots[group] == 0) return false;
  return view.at(slots[group] - 1 + (thread ? number % kTogether : 0)) >= time;
}

bool Clocks::view_knows(const View& view, std::uint32_t warp, int lane, Time time) const {
  if (view.empty()) return false;
  return at_least(view, Unit::Block, block_of(warp), time) ||
         at_least(view, Unit::Warp, warp, time) ||
         at_least(view, Unit::Thread, std::uint64_t{warp} * kLanes + static_cast<unsigned>(lane),
                  time);
}

bool Clocks::knows(const Who& me, int lane, std::uint32_t warp, int other, Time time) const {
  if (warp - me.block->first_warp < me.block->count) {
    if (time <= me.block->floor) return true;
    if (warp == me.warp->number && (lane == other || time <= me.warp->floor)) return true;
  }
  if (view_knows(me.block->view, warp, other, time)) return true;
  return me.warp->lanes &&
         view_knows((*me.warp->lanes)[static_cast<std::size_t>(lane)].known, warp, other, time);
}

bool Clocks::block_knows(const Who& me, std::uint32_t warp, Time time) const {
  const View& view = me.block->view;
  return !view.empty() && (at_least(view, Unit::Block, block_of(warp), time) ||
                           at_least(view, Unit::Warp, warp, time));
}

bool Clocks::has_heard(const Who& me, int lane, std::uint32_t warp, int other, Time time) const {
  const LaneTalk* const talk = me.warp->talk(lane);
  if (!talk) return false;
  for (int s = 0; s <= widest(Scope::System); ++s) {
    const View* const view = talk->pending.of(domain(*me.block, s));
    if (view && view_knows(*view, warp, other, time)) return true;
  }
  return false;
}

bool Clocks::knows_agent(const Who& me, int lane, std::uint32_t agent) const {
  if (at_least(me.block->view, Unit::Agent, agent, 1)) return true;
  return me.warp->lanes &&
         at_least((*me.warp->lanes)[static_cast<std::size_t>(lane)].known, Unit::Agent, agent, 1);
}

// A view has a mark of every launch whose threads have passed something on to it. Of the launch itself that says nothing:
// its threads may have gone on since.
bool Clocks::view_knows_operation(const View& view, std::uint32_t operation,
                                  const Orders& orders) const {
  if (view.empty()) return false;
  for (std::size_t i = launches_.size(); i-- > 0;) {
    const KeptLaunch& launch = launches_[i];
    if (launch.operation != operation && orders.within(operation, launch.before) &&
        at_least(view, Unit::Launch, i, 1)) {
      return true;
    }
  }
  return false;
}

bool Clocks::knows_operation(const Who& me, int lane, std::uint32_t operation,
                             const Orders& orders) const {
  if (orders.within(operation, me.block->launch->before)) return true;
  if (!several_) return false;
  return view_knows_operation(me.block->view, operation, orders) ||
         (me.warp->lanes &&
          view_knows_operation((*me.warp->lanes)[static_cast<std::size_t>(lane)].known, operation,
                               orders));
}

View Clocks::known_behind(const Orders::Clock& clock, const Orders& orders) const {
  // Those of a launch that had ended before any stranger began have heard of none: such a view would be large, and tell
  // nothing that the operations do not.
  std::uint64_t stranger = ~std::uint64_t{0};
  for (std::size_t i = launches_.size(); i-- > 0;) {
    if (!orders.within(launches_[i].operation, clock)) stranger = launches_[i].begun_at;
  }
  View view;
  for (std::size_t i = launches_.size(); i-- > 0;) {
    const KeptLaunch& launch = launches_[i];
    if (launch.running || launch.ended_at < stranger || launch.ended.empty()) continue;
    if (orders.within(launch.operation, clock)) view.join(launch.ended);
  }
  return view;
}

View Clocks::snapshot(const Who& me, int lane) {
  BlockClock& block = *me.block;
  if (block.said.empty() || block.said_floor != block.floor || !block.said_view.same(block.view)) {
    block.said = block.said_view = block.view;
    block.said_floor = block.floor;
    if (several_) block.said.raise(slot(Unit::Launch, block.launch->number), 1);
    if (block.floor) block.said.raise(slot(Unit::Block, block.number), block.floor);
  }
  View view = block.said;
  if (me.warp->lanes) view.join((*me.warp->lanes)[static_cast<std::size_t>(lane)].known);
  if (me.warp->floor > me.block->floor) {
    view.raise(slot(Unit::Warp, me.warp->number), me.warp->floor);
  }
  view.raise(
      slot(Unit::Thread, std::uint64_t{me.warp->number} * kLanes + static_cast<unsigned>(lane)),
      now_++);
  step(me);
  return view;
}

// ---- meetings

void Clocks::meet(const Who& me, LaneMask lanes, LaneMask live) {
  WarpClock& warp = *me.warp;
  const bool all = lanes == live;
  if (std::popcount(lanes) < 2) return;
  const Time time = now_++;
  step(me);
  if (all) warp.floor = time;
  if (all && !warp.lanes) return;
  View view;
  if (warp.lanes) each(lanes, [&](int i) { view.join(warp.lane(i).known); });
  if (all && !warp.outside) view = View{};  // of itself it knows all now
  if (!all) {
    each(lanes, [&](int i) {
      view.raise(slot(Unit::Thread, std::uint64_t{warp.number} * kLanes + static_cast<unsigned>(i)),
                 time);
    });
  }
  each(lanes, [&](int i) { warp.lane(i).known = view; });
}

void Clocks::arrive(const Who& me, LaneMask lanes, std::uint32_t id, bool waits) {
  BarrierClock& barrier = me.block->barriers[id];
  if (me.warp->lanes) {
    each(lanes, [&](int i) { barrier.collected.join(me.warp->lane(i).known); });
  }
  if (me.warp->floor > me.block->floor) {
    barrier.collected.raise(slot(Unit::Warp, me.warp->number), me.warp->floor);
  }
  if (waits) {
    barrier.waiting += static_cast<std::uint32_t>(std::popcount(lanes));
    barrier.who.emplace_back(me.warp, lanes);
    return;
  }
  const Time time = now_++;
  step(me);
  barrier.passed = true;
  each(lanes, [&](int i) {
    barrier.collected.raise(
        slot(Unit::Thread, std::uint64_t{me.warp->number} * kLanes + static_cast<unsigned>(i)),
        time);
  });
}

void Clocks::complete(const exec::Block& of, std::uint32_t id) {
  BlockClock* const block = find(of);
  if (!block) return;
  BarrierClock& barrier = block->barriers[id];
  const Time time = now_++;
  std::uint32_t live = 0;
  for (const auto& w : of.warps) live += static_cast<std::uint32_t>(std::popcount(w->live));
  barrier.whole = barrier.waiting >= live && !barrier.passed;
  if (barrier.whole) {
    block->floor = time;
    block->since = now_;
    block->view.join(barrier.collected);
    for (WarpClock& warp : block->warps) {
      if (!warp.lanes) continue;
      for (LaneClock& clock : *warp.lanes) clock.known = View{};
      warp.outside = false;
    }
  } else {
    for (const auto& [warp, lanes] : barrier.who) {
      each(lanes, [&, w = warp](int i) {
        barrier.collected.raise(
            slot(Unit::Thread, std::uint64_t{w->number} * kLanes + static_cast<unsigned>(i)), time);
      });
    }
  }
}

void Clocks::leave(const Who& me, LaneMask lanes, std::uint32_t id) {
  BarrierClock& barrier = me.block->barriers[id];
  step(me);
  if (!barrier.whole) {
    me.warp->outside = true;
    each(lanes, [&](int i) { me.warp->lane(i).known.join(barrier.collected); });
  }
  // The last who leaves makes room for the next round.
  const auto n = static_cast<std::uint32_t>(std::popcount(lanes));
  barrier.waiting -= std::min(barrier.waiting, n);
  if (barrier.waiting != 0) return;
  barrier.collected = View{};
  barrier.passed = false;
  barrier.who.clear();
}

void Clocks::arrive_cluster(const Who& me, LaneMask lanes) {
  View& view = clusters_[me.block->cluster];
  each(lanes, [&](int i) { view.join(snapshot(me, i)); });
}

void Clocks::leave_cluster(const Who& me, LaneMask lanes) {
  const View& view = clusters_[me.block->cluster];
  each(lanes, [&](int i) { acquire(me, i, view); });
}

// ---- through memory

void Clocks::take(const Who& me, LaneClock& clock, const Message& message, Scope scope) {
  for (int s = 0; s <= widest(scope); ++s) {
    const View* const view = message.of(domain(*me.block, s));
    if (!view || view->same(clock.talking().last_taken[s])) continue;
    clock.known.join(*view);
    clock.talk->last_taken[s] = *view;
  }
  me.warp->outside = true;
}

bool Clocks::passes_on(const Who& me, int lane, const Order& order) const {
  const LaneTalk* const talk = me.warp->talk(lane);
  return order.release || (talk && talk->has_released);
}

void Clocks::synchronise(const Who& me, int lane, Order order, Message& place, bool has_message) {
  if (order.reads && has_message) {
    LaneClock& clock = me.warp->lane(lane);
    if (order.acquire) {
      take(me, clock, place, order.scope);
    } else {
      LaneTalk& talk = clock.talking();
      for (int s = 0; s <= widest(order.scope); ++s) {
        const View* const view = place.of(domain(*me.block, s));
        if (!view || view->same(talk.last_pending[s])) continue;
        talk.pending.add(domain(*me.block, s), *view);
        talk.last_pending[s] = *view;
      }
    }
  }
  if (!order.writes) return;
  Message message;
  if (order.reads && has_message) message = place;  // an atomic continues what it read
  const int most = widest(order.scope);
  const auto add = [&](int s, const View& view) { message.add(domain(*me.block, s), view); };
  if (const LaneTalk* const talk = me.warp->talk(lane)) {
    for (int s = 0; s <= most; ++s) add(s, talk->released[s]);
  }
  if (order.release) {
    const View view = snapshot(me, lane);
    for (int s = 0; s <= most; ++s) add(s, view);
  }
  place = std::move(message);
}

void Clocks::fence(const Who& me, int lane, bool acquires, bool releases, Scope scope) {
  LaneClock& clock = me.warp->lane(lane);
  LaneTalk& talk = clock.talking();
  if (acquires) take(me, clock, talk.pending, scope);
  if (!releases) return;
  const View view = snapshot(me, lane);
  for (int s = 0; s <= widest(scope); ++s) talk.released[s] = view;
  talk.has_released = true;
}

void Clocks::mark(View& view, std::uint32_t agent) { view.raise(slot(Unit::Agent, agent), 1); }

void Clocks::release_into(const Who& me, int lane, View& view) { view.join(snapshot(me, lane)); }

void Clocks::acquire(const Who& me, int lane, const View& view) {
  me.warp->lane(lane).known.join(view);
  me.warp->outside = true;
}

}  // namespace emu::check
