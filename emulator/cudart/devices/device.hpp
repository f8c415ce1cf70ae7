// SPDX-License-Identifier: MIT
// What the device calls share: what a program set on a device, and its attributes as numbers.
#pragma once

#include <optional>

#include "cudart/calls/runtime.hpp"
#include "decode/self_check.hpp"

namespace emu::cudart {

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
void set_current_device(int device);

// For the test of what happens where the self-check fails; must be set before the first call.
extern exec::Substitute self_check_substitute;

// Value of an attribute; nothing if there is no such attribute. cudaDeviceProp is filled from the
// same numbers.
std::optional<int> device_attribute(const devices::Profile& gpu, int device,
                                    cudaDeviceAttr attribute);
cudaDeviceProp device_properties(const devices::Profile& gpu, int device);

}  // namespace emu::cudart
