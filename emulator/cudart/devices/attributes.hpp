// SPDX-License-Identifier: MIT
// A device's attributes as numbers.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

#include "devices/profile.hpp"

namespace emu::cudart {

// Value of an attribute; nothing if there is no such attribute. cudaDeviceProp is filled from the
// same numbers.
std::optional<int> device_attribute(const devices::Profile& gpu, int device,
                                    cudaDeviceAttr attribute);
cudaDeviceProp device_properties(const devices::Profile& gpu, int device);

}  // namespace emu::cudart
