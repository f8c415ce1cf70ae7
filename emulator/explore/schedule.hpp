// SPDX-License-Identifier: MIT
// The name of a schedule: which of the orders that threads may run in a launch shall take.
//
//   random:SEED      any thread may be next; how long one goes on alone is drawn per launch
//   pct:SEED[:DEPTH] threads have priorities, which change at DEPTH - 1 places (default 3)
//   replay:FILE      as a file says, turn by turn (turns.hpp); whoever reads the name fills in the turns
//   lockstep         the usual order, but as before Volta: a warp has one program counter, which serves the
//                    lanes that are furthest behind until they have caught up
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "explore/turns.hpp"

namespace emu::exec {

struct Schedule {
  enum class Policy : std::uint8_t { Random, Pct, Replay, LockStep };
  Policy policy = Policy::Random;
  std::uint64_t seed = 0;
  std::uint32_t depth = 3;  // Pct: one more than the places where a priority changes
  std::string file = {};    // Replay
  std::shared_ptr<const Turns> turns = {};
  std::uint64_t device = 0;  // several devices make their choices apart from each other

  std::string text() const;                                      // as parse_schedule reads it
  bool lock_step() const { return policy == Policy::LockStep; }  // no order from a seed
};

std::optional<Schedule> parse_schedule(std::string_view text);  // nothing: it is none

}  // namespace emu::exec
