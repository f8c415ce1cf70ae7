// SPDX-License-Identifier: MIT
// What is settled at the first call: which GPUs there are (WARPLADDER_DEVICE, WARPLADDER_DEVICES),
// who watches launches, and whether this build of the engine computes rightly at all.
#pragma once

#include <cuda_runtime_api.h>

#include "decode/self_check.hpp"
#include "devices/profile.hpp"

namespace emu::cudart {

inline constexpr int kMostDevices = 16;

// What every call returns when a variable of the environment (WARPLADDER_DEVICE,
// WARPLADDER_DEVICES, WARPLADDER_COUNTERS, WARPLADDER_ANNOTATE) is wrong or the self-check of the
// engine fails, else cudaSuccess.
cudaError_t environment_error();
int device_count();  // WARPLADDER_DEVICES, default 1
inline bool valid_device(int device) { return device >= 0 && device < device_count(); }
const devices::Profile& profile(int device);  // WARPLADDER_DEVICE, default h200

// For the test of what happens where the self-check fails; must be set before the first call.
extern exec::Substitute self_check_substitute;

}  // namespace emu::cudart
