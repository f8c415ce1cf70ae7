// SPDX-License-Identifier: MIT
// Kernels of several devices that run at the same time.
#pragma once

#include <memory>

#include "cudart/streams/under_way.hpp"
#include "engine/launch.hpp"

namespace emu::cudart {

// Begins it, to be run by turns. Throws exec::KernelError where it cannot begin.
std::unique_ptr<UnderWay> begin_kernel(exec::LaunchRequest request);
// Counts the launches of the device; true: WARPLADDER_FAIL lets it fail with this one, and it has.
bool fails_now(int device);

}  // namespace emu::cudart
