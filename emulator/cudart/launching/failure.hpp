// SPDX-License-Identifier: MIT
// From the engine's failures to errors of the API.
#pragma once

#include <cuda_runtime_api.h>

#include "machine/fault.hpp"

namespace emu::cudart {

// A kernel of the device has failed: what the launch returns. The error shows at the next call that waits.
cudaError_t tell(const exec::KernelError& error, int device);

}  // namespace emu::cudart
