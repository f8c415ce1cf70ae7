// SPDX-License-Identifier: MIT
// What is kept of each thread that runs: what it knows of others (clocks.hpp), together with its warp and its block.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "explore/weak_view.hpp"
#include "machine/grid.hpp"
#include "shadow/launches.hpp"

namespace emu::check {

using exec::kLanes;
using exec::LaneMask;
using exec::Message;
using exec::Time;
using exec::View;

// How far an operation reaches, as PTX names it.
enum class Scope : std::uint8_t { Block, Cluster, Gpu, System };
constexpr std::size_t kScopes = 4;

// What one lane has heard and what it passes on, by strong accesses and fences.
struct LaneTalk {
  Message pending;         // came with strong reads: known after a fence
  View released[kScopes];  // by its fences, at each scope
  // What it took last: who spins reads the same again and again.
  View last_taken[kScopes], last_pending[kScopes];
  bool has_released = false;
};

// What one lane knows beyond its warp and its block. Few lanes talk, and the talk takes most of the room.
struct LaneClock {
  View known;
  std::unique_ptr<LaneTalk> talk;  // once it is needed
  LaneTalk& talking() {
    if (!talk) talk = std::make_unique<LaneTalk>();
    return *talk;
  }
};

struct WarpClock {
  std::uint32_t number = 0;
  Time floor = 0;        // up to here each of its lanes knows all of them
  Time since = 1;        // its accesses are stamped with this
  bool outside = false;  // some lane knows something of other warps
  std::unique_ptr<std::array<LaneClock, kLanes>> lanes;  // once any is needed

  LaneClock& lane(int i);
  // nullptr: it has not talked.
  const LaneTalk* talk(int i) const {
    return lanes ? (*lanes)[static_cast<std::size_t>(i)].talk.get() : nullptr;
  }
};

struct BarrierClock {
  View collected;             // what those know who came
  std::uint32_t waiting = 0;  // lanes that came and wait
  std::vector<std::pair<WarpClock*, LaneMask>> who;
  bool passed = false;  // somebody came and did not wait
  bool whole = false;   // its last completion was of the whole block
};

struct BlockClock {
  std::uint64_t number = 0, cluster = 0;
  std::uint32_t first_warp = 0, count = 0;  // of warps
  KeptLaunch* launch = nullptr;
  Time floor = 0;  // up to here each thread of the block knows all of them
  Time since = 1;
  View view;  // what each of them knows of others
  // The same with what each of them passes on of the block, for the view and the floor that it was made of: what
  // several threads say after one barrier shares it.
  View said, said_view;
  Time said_floor = 0;
  std::vector<WarpClock> warps;
  std::array<BarrierClock, exec::kNamedBarriers> barriers;
};

// One thread, at an access.
struct Who {
  BlockClock* block = nullptr;
  WarpClock* warp = nullptr;
  Time since() const { return std::max(warp->since, block->since); }
};

}  // namespace emu::check
