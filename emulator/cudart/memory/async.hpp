// SPDX-License-Identifier: MIT
// Stream-ordered allocation. Inside a graph it is the graph's memory: the address is fixed when the
// node is made, and memory is there from each run of the node until somebody frees it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cudart/memory/pool.hpp"
#include "cudart/streams/operation.hpp"

namespace emu::cudart {

// Device memory that counts as the pool's.
cudaError_t allocate_from(void** out, std::size_t size, MemoryPool& pool);

// A graph's allocation of params.dptr, which becomes the operation's own; its detail is `params`.
Operation allocation_operation(cudaMemAllocNodeParams params);
// Its detail is the pointer.
Operation free_operation(void* pointer);

}  // namespace emu::cudart
