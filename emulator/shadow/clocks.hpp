// SPDX-License-Identifier: MIT
// Who knows of whose work: what comes before what in a launch, as the PTX memory model orders it.
//
// Time is one number for the whole launch. It goes up by one wherever a thread passes something on (a
// barrier, a release, a fence), and every access is stamped with it. That somebody knows another up to
// time t means: all that the other did with a stamp of at most t comes before what he does now. So
// "everybody of the block up to t", which is what a barrier gives, is one number and not a vector.
// Vectors (explore/weak_view.hpp) are needed only for what flags, partial barriers and copies order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "explore/weak_view.hpp"
#include "machine/grid.hpp"

namespace emu::check {

using exec::kLanes;
using exec::LaneMask;
using exec::Message;
using exec::Time;
using exec::View;

// How far an operation reaches, as PTX names it.
enum class Scope : std::uint8_t { Block, Cluster, Gpu, System };

// What one lane knows beyond its warp and its block, and what it passes on.
struct LaneClock {
  View known;
  Message pending;   // came with strong reads: known after a fence
  View released[3];  // by its fences, at the scope of the block, the cluster, the GPU
  // What it took last: who spins reads the same again and again.
  View last_taken[3], last_pending[3];
  bool has_released = false;
};

struct WarpClock {
  std::uint32_t number = 0;  // of the launch
  Time floor = 0;            // up to here each of its lanes knows all of them
  Time since = 1;            // its accesses are stamped with this
  bool outside = false;      // some lane knows something of other warps
  std::unique_ptr<std::array<LaneClock, kLanes>> lanes;  // once any is needed

  LaneClock& lane(int i);
};

struct BarrierClock {
  View collected;             // what those know who came
  std::uint32_t waiting = 0;  // lanes that came and wait
  std::vector<std::pair<WarpClock*, LaneMask>> who;
  bool passed = false;  // somebody came and did not wait
  bool whole = false;   // its last completion was of the whole block
};

struct BlockClock {
  std::uint64_t linear = 0, cluster = 0;
  std::uint32_t first_warp = 0;
  Time floor = 0;  // up to here each thread of the block knows all of them
  Time since = 1;
  View view;  // what each of them knows of others
  std::vector<WarpClock> warps;
  std::array<BarrierClock, exec::kNamedBarriers> barriers;
};

// One thread, at an access.
struct Who {
  BlockClock* block = nullptr;
  WarpClock* warp = nullptr;
  Time since() const { return std::max(warp->since, block->since); }
};

class Clocks {
 public:
  void begin(const exec::Grid& grid);
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
  std::uint64_t block_of(std::uint32_t warp) const { return warp / warps_per_block_; }
  std::uint64_t cluster_of(std::uint64_t block) const;
  std::uint32_t warps_per_block() const { return warps_per_block_; }

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
  enum class Unit : std::uint8_t { Thread, Warp, Block, Agent };
  std::size_t slot(Unit unit, std::uint64_t number);
  bool at_least(const View& view, Unit unit, std::uint64_t number, Time time) const;
  bool view_knows(const View& view, std::uint32_t warp, int lane, Time time) const;
  // What a lane knows, itself included; time goes on.
  View snapshot(const Who& me, int lane);
  void step(const Who& me) { me.warp->since = now_; }
  // Where what is passed on at a scope counts.
  static exec::Domain domain(const BlockClock& block, int scope) {
    constexpr exec::Domain kCluster = 1ull << 63;
    return scope == 0 ? block.linear : scope == 1 ? block.cluster | kCluster : exec::kEverywhere;
  }
  void take(const Who& me, LaneClock& clock, const Message& message, Scope scope);

  Time now_ = 1;
  std::uint32_t warps_per_block_ = 1;
  exec::Dim3 grid_, cluster_;
  std::uint32_t next_agent_ = 1;
  std::array<std::vector<std::uint32_t>, 4>
      slots_;  // by unit and number (threads: of their warp), plus 1
  std::size_t next_slot_ = 0;
  std::unordered_map<const exec::Block*, std::unique_ptr<BlockClock>> blocks_;
  std::unordered_map<std::uint64_t, View> clusters_;  // barriers, by cluster
  const exec::Block* last_ = nullptr;
  BlockClock* last_clock_ = nullptr;
};

}  // namespace emu::check
