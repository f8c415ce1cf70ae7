// SPDX-License-Identifier: MIT
#pragma once

#include "engine/launch.hpp"

namespace bench {

// Prints how much memory the checks take beside what the program allocates, for arrays of so many bytes on one device
// and on eight. False: more than is allowed.
bool print_memory_costs(const emu::exec::Program& program, int array_bytes);

}  // namespace bench
