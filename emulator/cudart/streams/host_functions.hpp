// SPDX-License-Identifier: MIT
// Functions of the host program as work on a stream.
#pragma once

#include <cuda_runtime_api.h>

#include "cudart/streams/operation.hpp"

namespace emu::cudart {

// Its detail is the cudaHostNodeParams.
Operation host_operation(cudaHostNodeParams params);

}  // namespace emu::cudart
