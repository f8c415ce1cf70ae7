// SPDX-License-Identifier: MIT
// What the race check keeps besides who used which byte: of blocks, of copies under way, of launches that run.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "machine/observer.hpp"
#include "shadow/clocks.hpp"
#include "shadow/orders.hpp"
#include "shadow/shadow.hpp"
#include "shadow/sites.hpp"

namespace emu::check {

// What is kept of the shared memory of a block.
struct SharedShadow {
  SharedShadow(std::uint64_t bytes, std::uint32_t most) : shadow(bytes), records(most) {}
  Shadow shadow;
  Records records;
  std::unordered_map<std::uint32_t, Message> messages;            // by offset
  std::unordered_map<std::uint32_t, std::array<View, 2>> phases;  // of mbarriers, by parity
};

// One instruction of a warp.
struct AccessContext {
  const exec::Warp& warp;
  Who me;
  std::uint32_t site;
  bool reads, writes, strong;
  std::uint32_t bytes;
  const observe::MemoryAccess* access;  // nullptr: a copy or an mbarrier
  bool wide = false;                    // atomic for all threads of its GPU
  std::uint32_t ordered = 0;            // a record that is known to come before all lanes
  std::uint32_t own = 0;                // a record of the same warp
  const KeptLaunch& launch() const { return *me.block->launch; }
};

struct KeptCopy {
  std::shared_ptr<SharedShadow> to_shared, from_shared;
  std::uint32_t to = 0, from = 0;  // records
  std::uint32_t agent = 0;
};

// A launch that runs.
struct RunningLaunch {
  explicit RunningLaunch(const KeptLaunch& kept) : launch(kept), sites(kept.operation) {}
  const KeptLaunch& launch;
  Sites::OfLaunch sites;
  std::vector<ApiUse> strange;  // copies and fills that do not come before it
  bool limited = false;         // it was said that not all was looked at
};

// An operation or the host, and what it knows beyond the operations that come before it.
struct Behind {
  const Orders::Clock& clock;
  View view;
};

}  // namespace emu::check
