// SPDX-License-Identifier: MIT
// Loops whose end depends on what other threads do: who leaves them must not wait for the others.
//
// ptxas puts YIELD into a loop that might never end: what an atomic or a strong load in it has returned decides whether it goes on (a
// compare-and-swap that is tried again, a flag that is waited for), and no counter or clock does. Lanes that leave such a loop go on
// at once on a GPU, and the code behind it runs once for each round in which some leave; lanes that leave any other loop wait for the
// rest of them.
#pragma once

#include <vector>

#include "analysis/control_flow.hpp"

namespace emu::exec {

// Which lanes leave such a loop at the branch that ends a block: those that take it, or the others.
enum class Leaving : std::uint8_t { Nobody, Taken, Others };

struct SpinExits {
  std::vector<Leaving> leaving;  // by block
  std::vector<bool> heads;       // by block: such a loop begins with it
};
SpinExits find_spin_exits(const ptx::Function& function, const FlowGraph& graph);

}  // namespace emu::exec
