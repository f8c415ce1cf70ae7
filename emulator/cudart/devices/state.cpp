// SPDX-License-Identifier: MIT
// One state for each device there can be; the current device is each thread's own.
#include "cudart/devices/state.hpp"

#include <array>

#include "cudart/calls/errors.hpp"
#include "cudart/environment/startup.hpp"
#include "devices/timing.hpp"

namespace emu::cudart {

namespace {
thread_local int current = 0;
}

bool can_be_peers(int device, int peer) {
  return machine().peers(device, peer) && devices::timing(profile(device)).peer_gbps > 0 &&
         devices::timing(profile(peer)).peer_gbps > 0;
}

int current_device() { return current; }

void set_current_device(int device) {
  current = device;
  see_errors_of(device);
}

// Never destroyed: a program may call the runtime from destructors of its own globals.
DeviceState& device_state(int device) {
  static auto* states = new std::array<DeviceState, kMostDevices>;
  return (*states)[static_cast<std::size_t>(device)];
}

}  // namespace emu::cudart
