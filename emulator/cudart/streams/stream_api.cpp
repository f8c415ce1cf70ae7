// SPDX-License-Identifier: MIT
// The stream calls of the API: making, asking, waiting.
#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/streams/capture.hpp"
#include "cudart/streams/misuse.hpp"
#include "cudart/streams/order.hpp"
#include "cudart/streams/running.hpp"
#include "cudart/streams/submit.hpp"
#include "cudart/streams/under_way.hpp"
#include "memory/address_space.hpp"

using namespace emu::cudart;

namespace {

cudaError_t create(cudaStream_t* out, unsigned int flags, int priority) {
  if (!out || (flags & ~cudaStreamNonBlocking)) return cudaErrorInvalidValue;
  const auto stream = make_stream(current_device(), flags, priority);
  order_made(*stream);
  *out = StreamTable::instance().add(stream);
  return cudaSuccess;
}

// Looks the stream up, then calls body(stream).
template <class Body>
cudaError_t with_stream(cudaStream_t handle, Body&& body, const char* api = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        auto stream = find_stream(handle);
        return stream ? body(*stream) : cudaErrorInvalidResourceHandle;
      },
      api);
}

bool stream_attribute(cudaLaunchAttributeID id) {
  return id == cudaLaunchAttributeAccessPolicyWindow ||
         id == cudaLaunchAttributeSynchronizationPolicy || id == cudaLaunchAttributePriority ||
         id == cudaLaunchAttributeMemSyncDomainMap || id == cudaLaunchAttributeMemSyncDomain;
}

// What a capture says to a call that asks for the end of a stream's work: it is spoilt.
cudaError_t may_wait(const std::shared_ptr<Stream>& stream) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cudaError_t e = check_not_capturing(*stream)) return e;
  if (cudaError_t e = check_implicit(*stream)) return e;
  return check_capture();
}

}  // namespace

EMU_API cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call([&] { return create(stream, cudaStreamDefault, 0); });
}

EMU_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return call([&] { return create(stream, flags, 0); });
}

EMU_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags,
                                                 int priority) {
  return call([&] { return create(stream, flags, priority); });
}

EMU_API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call([&]() -> cudaError_t {
    auto stream = StreamTable::instance().find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->capture) destroyed_while_capturing(*stream);
    StreamTable::instance().remove(handle);
    order_destroyed(*stream);
    note_destroyed(handle);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return waiting_call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (cudaError_t e = may_wait(stream)) return e;
    wait_behind_others(*stream);
    if (several_devices()) finish_before(*stream);
    host_waited(*stream);
    return check_waited();
  });
}

EMU_API cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return waiting_call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (cudaError_t e = may_wait(stream)) return e;
    if (is_behind_others(*stream)) return cudaErrorNotReady;
    if (several_devices() && !done_before(*stream)) return cudaErrorNotReady;
    host_waited(*stream);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceSynchronize() {
  return waiting_call([&]() -> cudaError_t {
    bool met = false;
    for (auto& capture : captures())
      if (capture->origin->device == current_device()) spoil(*capture), met = true;
    if (met) return cudaErrorStreamCaptureUnsupported;
    wait_for_device(current_device());
    if (several_devices()) finish_device(current_device());
    host_waited_device(current_device());
    return check_waited();
  });
}

EMU_API cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle,
                                        unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (flags & ~cudaEventWaitExternal) return cudaErrorInvalidValue;
    auto stream = find_stream(handle);
    auto event = find_event(event_handle);
    if (!stream || !event) return cudaErrorInvalidResourceHandle;
    note_wait(*event);
    if (flags & cudaEventWaitExternal) {
      if (!stream->capture) return cudaErrorIllegalState;
      return capture_operation(*stream, wait_operation(event_handle));
    }
    if (stream->capture || event->captured) return capture_wait(stream, *event);
    if (cudaError_t e = check_implicit(*stream)) return e;
    if (several_devices()) return submit(handle, wait_operation(event_handle));
    order_wait(*stream, event_handle);
    return cudaSuccess;  // what the event stands for is done already
  });
}

EMU_API cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return with_stream(handle, [&](Stream& s) {
    if (!priority) return cudaErrorInvalidValue;
    *priority = s.priority;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return with_stream(handle, [&](Stream& s) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = s.flags;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return with_stream(handle, [&](Stream& s) {
    if (!id) return cudaErrorInvalidValue;
    *id = s.id;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return with_stream(handle, [&](Stream& s) {
    if (!device) return cudaErrorInvalidValue;
    *device = s.device;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  return with_stream(src, [&](Stream& from) {
    auto to = find_stream(dst);
    if (!to) return cudaErrorInvalidResourceHandle;
    to->attributes = from.attributes;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                           cudaLaunchAttributeValue* value) {
  return with_stream(handle, [&](Stream& s) {
    if (!value || !stream_attribute(id)) return cudaErrorInvalidValue;
    *value = cudaLaunchAttributeValue{};
    auto it = s.attributes.find(id);
    if (it != s.attributes.end())
      *value = it->second;
    else if (id == cudaLaunchAttributePriority)
      value->priority = s.priority;
    else if (id == cudaLaunchAttributeSynchronizationPolicy)
      value->syncPolicy = cudaSyncPolicyAuto;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                           const cudaLaunchAttributeValue* value) {
  return with_stream(handle, [&](Stream& s) {
    if (!value || !stream_attribute(id)) return cudaErrorInvalidValue;
    s.attributes[id] = *value;
    if (id == cudaLaunchAttributePriority) s.priority = value->priority;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* ptr, size_t length,
                                             unsigned int flags) {
  return with_stream(handle, [&](Stream& s) {
    if (cudaError_t e = check_not_capturing(s)) return e;
    const auto* a =
        emu::memory::AddressSpace::instance().find(reinterpret_cast<emu::memory::Address>(ptr));
    if (!a || a->kind != emu::memory::Kind::Managed) return cudaErrorInvalidValue;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
      return cudaErrorInvalidValue;
    return length == 0 || length == a->size ? cudaSuccess : cudaErrorInvalidValue;
  });
}
