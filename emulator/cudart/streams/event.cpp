// SPDX-License-Identifier: MIT
// What recording an event and waiting for it do.
#include "cudart/streams/event.hpp"

#include "cudart/devices/clock.hpp"

namespace emu::cudart {

void forget_events(int device) {
  std::vector<cudaEvent_t> mine;
  for (auto& [handle, event] : EventTable::instance().all())
    if (event->device == device) mine.push_back(handle);
  for (auto handle : mine) EventTable::instance().remove(handle);
}

Operation record_operation(cudaEvent_t handle) {
  Operation op;
  op.kind = Operation::Kind::EventRecord;
  op.run = [handle] {
    auto event = find_event(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    advance_clock_by_event(event->device);
    event->recorded = true;
    event->captured = false;
    event->capture.reset();
    event->capture_tail.clear();
    event->time_ps = clock_ps();
    return cudaSuccess;
  };
  op.detail = handle;
  return op;
}

// When it comes to this all work before the event is done; the clock shows it.
Operation wait_operation(cudaEvent_t handle) {
  Operation op;
  op.kind = Operation::Kind::EventWait;
  op.run = [handle] {
    const auto event = find_event(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    if (event->recorded) raise_clock(event->time_ps);
    return cudaSuccess;
  };
  op.detail = handle;
  return op;
}

}  // namespace emu::cudart
