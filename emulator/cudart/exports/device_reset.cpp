// SPDX-License-Identifier: MIT
// cudaDeviceReset: every room forgets what it knows of the device.
#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/startup.hpp"
#include "cudart/loading/module.hpp"
#include "cudart/memory/memory.hpp"
#include "cudart/streams/capture.hpp"
#include "cudart/streams/event.hpp"
#include "cudart/streams/order.hpp"
#include "cudart/streams/running.hpp"
#include "cudart/streams/stream.hpp"
#include "cudart/streams/under_way.hpp"

using namespace emu::cudart;

EMU_API cudaError_t cudaDeviceReset() {
  return query([] {
    const int device = current_device();
    wait_for_device(device);
    if (several_devices()) forget_work(device);
    for (int i = 0; i < device_count(); ++i) host_waited_device(i);
    end_captures();
    forget_streams(device);
    forget_events(device);
    reset_memory(device);
    Registry::instance().reset(device);
    device_state(device) = {};
    reset_errors(device);
    return cudaSuccess;
  });
}
