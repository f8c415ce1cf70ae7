// SPDX-License-Identifier: MIT
// An order of threads written down turn by turn: who went, and how many operations others could see
// it made before another went. A file holds the turns of each launch of a program in their order:
//
//   warpladder-turns/1
//   launch SEED KERNEL
//   BLOCK THREAD STEPS
//   ...
//
// SEED is what the choices other than the order come from (which value a load sees). A file may be
// cut down by hand or by a program: a turn whose thread cannot go is left out, and when all turns
// are over threads go on in the order of their numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emu::exec {

struct Turn {
  std::uint64_t block = 0;   // its number in the grid
  std::uint32_t thread = 0;  // in the block
  std::uint64_t steps = 0;
  bool operator==(const Turn&) const = default;
};
using Turns = std::vector<Turn>;

struct LaunchTurns {
  std::uint64_t seed = 0;
  std::string kernel;
  Turns turns;
  bool operator==(const LaunchTurns&) const = default;
};

inline constexpr std::string_view kTurnsHead = "warpladder-turns/1\n";
std::string turns_text(const LaunchTurns& launch);
// Nothing: it is no such file.
std::optional<std::vector<LaunchTurns>> read_turns(std::string_view text);

}  // namespace emu::exec
