// SPDX-License-Identifier: MIT
// Who counts what kernels do: for the environment's sake, and for the modelled clock.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>

#include "devices/profile.hpp"
#include "machine/observer.hpp"

namespace emu::cudart {

// Attaches what WARPLADDER_COUNTERS, WARPLADDER_ANNOTATE and WARPLADDER_PICTURE ask for. If one is wrong it says so in
// one line, and returns the error that every call of the program shall give.
cudaError_t start_counting(const devices::Profile& gpu, int device_count);

// From now on every launch is counted, so that its time can be modelled. The first event that keeps
// times calls this: a program without any runs at full speed.
void want_times();
// Who counts the next launch on the device; nullptr: nobody.
observe::Observer* launch_counter(int device);
// Whom the next launch on the device shows itself to; nullptr: nobody. Each device has its own, since kernels of
// several run at the same time.
observe::Observer* launch_observer(int device = 0);
// For tests: nobody counts any more.
void stop_counting();
// The modelled L2 caches hold nothing from now on; or something other than a launch has read or written.
void flush_modelled_l2();
void touch_modelled_l2(std::uint64_t address, std::uint64_t bytes, observe::TouchedBy by);
void modelled_memset();  // it is a kernel, to what the caches hold
// The time of the launch that ended last on the device, without its launch overhead; none if it was not counted.
std::optional<double> modelled_ns(int device = 0);

}  // namespace emu::cudart
