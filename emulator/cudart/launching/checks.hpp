// SPDX-License-Identifier: MIT
// The checks the real runtime makes of a launch. Which error each bad launch gives was measured on an
// H200 with CUDA 13.0.
#pragma once

#include <cstdint>

#include "cudart/launching/launch.hpp"

namespace emu::cudart {

// The kernel must be known. Sets the cluster, where the kernel was compiled or set for one. Says
// what is wrong in one line.
cudaError_t check_launch(KernelLaunch& launch);

// Blocks of this launch that the whole GPU holds at once.
std::uint64_t resident_blocks(const KernelLaunch& launch, const exec::Kernel& kernel);

}  // namespace emu::cudart
