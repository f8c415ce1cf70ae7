// SPDX-License-Identifier: MIT
// What the environment says at each launch about the order of threads (WARPLADDER_SCHEDULE),
// what memory may show them (WARPLADDER_MEMORY) and writing it down (WARPLADDER_TRACE).
#pragma once

#include "cudart/calls/runtime.hpp"
#include "engine/launch.hpp"

namespace emu::cudart {

// Sets schedule, memory mode and tracer of a launch. If the environment is wrong it says so in one line, and
// returns the error the launch shall give.
cudaError_t schedule_launch(exec::LaunchRequest& request);

}  // namespace emu::cudart
