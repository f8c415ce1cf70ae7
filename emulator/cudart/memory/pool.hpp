// SPDX-License-Identifier: MIT
// Memory pools of the stream-ordered allocator. Freed memory goes back at once, so a pool reserves
// exactly what is in use.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>

#include "cudart/calls/handles.hpp"

namespace emu::cudart {

struct MemoryPool {
  cudaMemPool_t handle = nullptr;
  int device = 0;
  bool builtin = false;  // a device's default pool cannot be destroyed
  std::uint64_t release_threshold = 0;
  std::uint64_t used = 0, used_high = 0;
  std::uint64_t limit = 0;  // cudaMemPoolProps::maxSize, 0: none
  int reuse[3] = {1, 1, 1};
  std::map<int, cudaMemAccessFlags> access;  // of other devices
};

using PoolTable = HandleTable<cudaMemPool_t, MemoryPool>;

std::shared_ptr<MemoryPool> default_pool(int device);
std::shared_ptr<MemoryPool> current_pool(int device);
void note_pool_free(cudaMemPool_t pool, std::uint64_t bytes);

}  // namespace emu::cudart
