// SPDX-License-Identifier: MIT
// Which device each thread uses, and what the program has set on the devices.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>

namespace emu::cudart {

struct DeviceLimits {
  std::size_t stack = 1024, printf_fifo = 8650752, malloc_heap = 8 << 20;
};

struct DeviceState {
  DeviceLimits limits;
  std::size_t pending_launches = 2048;
  std::size_t l2_fetch_granularity = 64;
  std::optional<std::size_t> persisting_l2;  // unset: the driver's choice
  unsigned int flags = 0;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig bank_size = cudaSharedMemBankSizeFourByte;
};

DeviceState& device_state(int device);

// Whether the machine lets one reach the other's memory.
bool can_be_peers(int device, int peer);

int current_device();
void set_current_device(int device);

}  // namespace emu::cudart
