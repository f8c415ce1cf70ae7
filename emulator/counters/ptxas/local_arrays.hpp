// SPDX-License-Identifier: MIT
// Which local memory of the PTX the compiler behind it does without: the front end puts there what is indexed, and where that is
// little, or a parameter, the machine's own code keeps it in registers or takes the constants themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/warp.hpp"

namespace emu::observe {

struct LocalArrays {
  // Which loads from local memory and stores to it are none on the machine.
  std::vector<std::uint8_t> spared;
  // For each of these that has an index: of how many words one is chosen by comparing. 1 is loaded with its index; 0: its place is
  // known.
  std::vector<std::uint8_t> chosen;
  bool in_registers = false;  // all of it, or else all are parameters
};
LocalArrays local_arrays(const exec::Code& code);

}  // namespace emu::observe
