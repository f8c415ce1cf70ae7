// SPDX-License-Identifier: MIT
// What is settled at the first call: which GPUs there are and how they are connected (machine.hpp), who watches launches, and whether this build of the engine computes rightly at all.
#pragma once

#include <cuda_runtime_api.h>

#include "cudart/environment/machine.hpp"
#include "decode/self_check.hpp"
#include "devices/profile.hpp"

namespace emu::cudart {

// What every call returns when a variable of the environment (WARPLADDER_DEVICE,
// WARPLADDER_DEVICES, WARPLADDER_COUNTERS, WARPLADDER_ANNOTATE) is wrong or the self-check of the
// engine fails, else cudaSuccess.
cudaError_t environment_error();
int device_count();  // default 1
// Where there are several devices their work goes on at the same time, and streams have clocks of their own.
inline bool several_devices() { return device_count() > 1; }
const Machine& machine();
inline bool valid_device(int device) { return device >= 0 && device < device_count(); }
const devices::Profile& profile(int device);  // default h200

// For the test of what happens where the self-check fails; must be set before the first call.
extern exec::Substitute self_check_substitute;

}  // namespace emu::cudart
