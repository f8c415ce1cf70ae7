// SPDX-License-Identifier: MIT
// What the environment says at each launch about the order of threads (WARPLADDER_SCHEDULE), what
// memory may show them (WARPLADDER_MEMORY), writing it down (WARPLADDER_TRACE, WARPLADDER_TURNS) and
// when a kernel has run away (WARPLADDER_INSTRUCTION_LIMIT).
#pragma once

#include <cuda_runtime_api.h>

#include "engine/launch.hpp"

namespace emu::cudart {

// Sets schedule, memory mode, tracer and instruction limit of a launch. If the environment is wrong
// it says so in one line, and returns the error the launch shall give.
cudaError_t apply_settings(exec::LaunchRequest& request);

}  // namespace emu::cudart
