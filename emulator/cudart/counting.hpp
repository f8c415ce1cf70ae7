// SPDX-License-Identifier: MIT
// Counters that the environment asks for.
#pragma once

#include "cudart/runtime.hpp"

namespace emu::cudart {

// Attaches what WARPLADDER_COUNTERS and WARPLADDER_ANNOTATE ask for. If one is wrong it says so in
// one line, and returns the error that every call of the program shall give.
cudaError_t start_counting(const devices::Profile& gpu);

}  // namespace emu::cudart
