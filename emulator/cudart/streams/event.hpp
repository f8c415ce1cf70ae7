// SPDX-License-Identifier: MIT
// Events. One that is recorded is done: the work before it was. Its time is the virtual clock's.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "cudart/calls/handles.hpp"
#include "cudart/streams/operation.hpp"

namespace emu::cudart {

struct Capture;

struct Event {
  cudaEvent_t handle = nullptr;
  int device = 0;
  unsigned int flags = 0;
  bool recorded = false;
  std::uint64_t time_ps = 0;
  std::weak_ptr<Capture> capture;             // last recorded inside this capture ...
  std::vector<cudaGraphNode_t> capture_tail;  // ... behind these nodes
  bool captured = false;
};

using EventTable = HandleTable<cudaEvent_t, Event>;

inline std::shared_ptr<Event> find_event(cudaEvent_t handle) {
  return EventTable::instance().find(handle);
}
// For cudaDeviceReset.
void forget_events(int device);

// Their detail is the cudaEvent_t.
Operation record_operation(cudaEvent_t event);
Operation wait_operation(cudaEvent_t event);

}  // namespace emu::cudart
