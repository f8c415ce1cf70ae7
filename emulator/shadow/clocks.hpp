// SPDX-License-Identifier: MIT
// Who knows of whose work: what comes before what in a launch, as the PTX memory model orders it, and among launches of
// several devices that run at the same time.
//
// Time is one number for all of them. It goes up by one wherever a thread passes something on (a
// barrier, a release, a fence), and every access is stamped with it. That somebody knows another up to
// time t means: all that the other did with a stamp of at most t comes before what he does now. So
// "everybody of the block up to t", which is what a barrier gives, is one number and not a vector.
// Vectors (explore/weak_view.hpp) are needed only for what flags, partial barriers and copies order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "shadow/launches.hpp"
#include "shadow/thread_clocks.hpp"

namespace emu::check {

class Clocks {
 public:
  // `several`: the scope of a GPU is narrower than that of the system, and launches pass something on to others.
  explicit Clocks(bool several = false) : several_(several) {}
  bool several() const { return several_; }
  // nullptr: the launch cannot be followed.
  KeptLaunch* begin(const exec::Grid& grid, const Orders& orders);
  // All that was is known to all that comes. No launch runs.
  void forget();
  const Launches& launches() const { return launches_; }
  void end(const exec::Grid& grid);
  void start(const exec::Block& block);
  void end(const exec::Block& block);
  Who who(const exec::Warp& warp);
  BlockClock* find(const exec::Block& block);

  // Whether what another thread did at a time comes before what this lane does now.
  bool knows(const Who& me, int lane, std::uint32_t warp, int other, Time time) const;
  // ... or any lane of its block.
  bool block_knows(const Who& me, std::uint32_t warp, Time time) const;
  // ... or would know, had it made a fence behind what it read last.
  bool has_heard(const Who& me, int lane, std::uint32_t warp, int other, Time time) const;
  bool knows_agent(const Who& me, int lane, std::uint32_t agent) const;
  // Whether an operation comes before it, because it comes before its launch, or before one that passed something on.
  bool knows_operation(const Who& me, int lane, std::uint32_t operation,
                       const Orders& orders) const;
  // What those know who come behind some operations: all that the threads knew which have ended there.
  View known_behind(const Orders::Clock& clock, const Orders& orders) const;
  bool view_knows(const View& view, std::uint32_t warp, int lane, Time time) const;
  bool view_knows_operation(const View& view, std::uint32_t operation, const Orders& orders) const;
  std::uint64_t block_of(std::uint32_t warp) const {
    return launches_.of_warp(warp).block_of(warp);
  }

  void meet(const Who& me, LaneMask lanes, LaneMask live);
  void arrive(const Who& me, LaneMask lanes, std::uint32_t id, bool waits);
  void complete(const exec::Block& block, std::uint32_t id);
  void leave(const Who& me, LaneMask lanes, std::uint32_t id);
  void arrive_cluster(const Who& me, LaneMask lanes);
  void leave_cluster(const Who& me, LaneMask lanes);

  // Through memory: an access of order and scope to a place that holds a message.
  struct Order {
    bool acquire = false, release = false, reads = false, writes = false;
    Scope scope = Scope::Gpu;
  };
  void synchronise(const Who& me, int lane, Order order, Message& place, bool has_message);
  bool passes_on(const Who& me, int lane, const Order& order) const;
  void fence(const Who& me, int lane, bool acquire, bool release, Scope scope);

  // Asynchronous copies are threads of their own: known when a barrier that counts them is passed.
  std::uint32_t new_agent() { return next_agent_++; }
  void mark(View& view, std::uint32_t agent);
  void release_into(const Who& me, int lane, View& view);
  void acquire(const Who& me, int lane, const View& view);

 private:
  enum class Unit : std::uint8_t { Thread, Warp, Block, Agent, Launch };
  std::size_t slot(Unit unit, std::uint64_t number);
  bool at_least(const View& view, Unit unit, std::uint64_t number, Time time) const;
  // What a lane knows, itself included; time goes on.
  View snapshot(const Who& me, int lane);
  void step(const Who& me) { me.warp->since = now_; }
  // Where what is passed on at a scope counts.
  exec::Domain domain(const BlockClock& block, int scope) const {
    if (scope == 0) return 4 * block.number;
    if (scope == 1) return 4 * block.cluster + 1;
    return scope == 2 && several_ ? 4 * static_cast<exec::Domain>(block.launch->device) + 2
                                  : exec::kEverywhere;
  }
  // The widest of the scopes that a scope holds: where there is one GPU, it is the system.
  int widest(Scope scope) const {
    return static_cast<int>(several_ ? scope : std::min(scope, Scope::Gpu));
  }
  void take(const Who& me, LaneClock& clock, const Message& message, Scope scope);

  bool several_;
  Launches launches_;
  Time now_ = 1;
  std::uint32_t next_agent_ = 1;
  std::array<std::vector<std::uint32_t>, 5>
      slots_;                             // by unit and number (threads: some together), plus 1
  std::array<std::uint64_t, 5> first_{};  // the number that the first slot of a unit is for
  std::size_t next_slot_ = 0;
  std::unordered_map<const exec::Block*, std::unique_ptr<BlockClock>> blocks_;
  std::unordered_map<std::uint64_t, View> clusters_;  // barriers, by cluster
  const exec::Block* last_ = nullptr;
  BlockClock* last_clock_ = nullptr;
};

}  // namespace emu::check
