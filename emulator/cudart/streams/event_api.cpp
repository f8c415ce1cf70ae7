// SPDX-License-Identifier: MIT
// The event calls of the API.
#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/streams/capture.hpp"
#include "cudart/streams/misuse.hpp"
#include "cudart/streams/order.hpp"
#include "cudart/streams/submit.hpp"
#include "cudart/streams/under_way.hpp"

using namespace emu::cudart;

namespace {

constexpr unsigned kKnownFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t create(cudaEvent_t* out, unsigned int flags) {
  if (!out || (flags & ~kKnownFlags)) return cudaErrorInvalidValue;
  if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))
    return cudaErrorInvalidValue;
  auto event = std::make_shared<Event>();
  event->device = current_device();
  event->flags = flags;
  if (!(flags & cudaEventDisableTiming)) want_times();
  *out = EventTable::instance().add(event);
  return cudaSuccess;
}

cudaError_t record(cudaEvent_t handle, cudaStream_t stream_handle, unsigned int flags) {
  if (flags & ~cudaEventRecordExternal) return cudaErrorInvalidValue;
  auto event = find_event(handle);
  auto stream = find_stream(stream_handle);
  if (!event || !stream) return cudaErrorInvalidResourceHandle;
  if (event->device != stream->device) {
    say("cudaEventRecord: the event belongs to device " + std::to_string(event->device) +
        ", the stream to device " + std::to_string(stream->device));
    return cudaErrorInvalidResourceHandle;
  }
  bool external = flags & cudaEventRecordExternal;
  if (external && !stream->capture) return cudaErrorIllegalState;
  if (!stream->capture || external) {
    if (!stream->capture && !several_devices()) order_record(handle, *stream);
    return submit(stream_handle, record_operation(handle));
  }
  if (!stream->capture->valid) return invalidated(*stream->capture);
  event->captured = true;
  event->capture = stream->capture;
  event->capture_tail = stream->tail;
  return cudaSuccess;
}

// For calls that ask about an event's state.
cudaError_t usable(cudaEvent_t handle) {
  auto event = find_event(handle);
  if (!event) return cudaErrorInvalidResourceHandle;
  if (!event->captured) return check_capture();
  auto capture = event->capture.lock();
  if (!capture) return cudaErrorInvalidValue;  // the capture has ended since
  spoil(*capture);
  return cudaErrorCapturedEvent;
}

}  // namespace

EMU_API cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call([&] { return create(event, cudaEventDefault); });
}

EMU_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return call([&] { return create(event, flags); });
}

EMU_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&] { return record(event, stream, cudaEventRecordDefault); });
}

EMU_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                             unsigned int flags) {
  return call([&] { return record(event, stream, flags); });
}

EMU_API cudaError_t cudaEventQuery(cudaEvent_t event) {
  return waiting_call([&]() -> cudaError_t {
    if (cudaError_t e = usable(event)) return e;
    if (several_devices() && !done_event(event)) return cudaErrorNotReady;
    host_waited_event(event);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return waiting_call([&]() -> cudaError_t {
    if (cudaError_t e = usable(event)) return e;
    note_wait(*find_event(event));
    if (several_devices()) finish_event(event);
    host_waited_event(event);
    return check_waited();
  });
}

EMU_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&] {
    if (several_devices()) finish_event(event);
    return EventTable::instance().remove(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

EMU_API cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return waiting_call([&]() -> cudaError_t {
    if (!ms) return cudaErrorInvalidValue;
    auto a = find_event(start), b = find_event(end);
    if (!a || !b) return cudaErrorInvalidResourceHandle;
    for (const auto& event : {a, b})
      if (event->captured)
        return event->capture.expired() ? cudaErrorInvalidValue : cudaErrorCapturedEvent;
    if (several_devices() && !(done_event(start) && done_event(end))) return cudaErrorNotReady;
    if (!a->recorded || !b->recorded || a->device != b->device)
      return cudaErrorInvalidResourceHandle;
    if ((a->flags | b->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
    for (const cudaEvent_t event : {start, end}) host_waited_event(event);
    auto ps = static_cast<std::int64_t>(b->time_ps - a->time_ps);  // negative if `end` came first
    *ms = static_cast<float>(static_cast<double>(ps) * 1e-9);
    return cudaSuccess;
  });
}
