// SPDX-License-Identifier: MIT
// Streams: their handles, attributes and waits, and submit(), through which all work goes.
#include "cudart/streams/stream.hpp"

#include <algorithm>

#include "cudart/calls/call.hpp"
#include "cudart/memory/operations.hpp"
#include "memory/address_space.hpp"

namespace emu::cudart {

namespace {

thread_local bool per_thread_default = false;

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

unsigned long long next_stream_id() {
  static unsigned long long next = 1;
  return next++;
}

std::shared_ptr<Stream> make_stream(int device, unsigned int flags, int priority) {
  auto stream = std::make_shared<Stream>();
  stream->device = device;
  stream->flags = flags;
  stream->priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  stream->id = next_stream_id();
  return stream;
}

using DeviceStreams = std::map<int, std::shared_ptr<Stream>>;

const std::shared_ptr<Stream>& default_stream(DeviceStreams& streams, cudaStream_t handle) {
  auto& stream = streams[current_device()];
  if (!stream) {
    stream = make_stream(current_device(), cudaStreamDefault, 0);
    stream->handle = handle;
    stream->legacy = handle == cudaStreamLegacy;
  }
  return stream;
}

cudaError_t create(cudaStream_t* out, unsigned int flags, int priority) {
  if (!out || (flags & ~cudaStreamNonBlocking)) return cudaErrorInvalidValue;
  *out = StreamTable::instance().add(make_stream(current_device(), flags, priority));
  return cudaSuccess;
}

// Looks the stream up, then calls body(stream).
template <class Body>
cudaError_t with_stream(cudaStream_t handle, Body&& body) {
  return call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    return stream ? body(*stream) : cudaErrorInvalidResourceHandle;
  });
}

bool stream_attribute(cudaLaunchAttributeID id) {
  return id == cudaLaunchAttributeAccessPolicyWindow ||
         id == cudaLaunchAttributeSynchronizationPolicy || id == cudaLaunchAttributePriority ||
         id == cudaLaunchAttributeMemSyncDomainMap || id == cudaLaunchAttributeMemSyncDomain;
}

// A wait on a stream: kernels' failures show, a capture is spoilt.
cudaError_t wait_for(cudaStream_t handle) {
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cudaError_t e = check_not_capturing(*stream)) return e;
  if (cudaError_t e = check_implicit(*stream)) return e;
  return check_capture();
}

// Gone with the thread; made anew for a global of the program whose destructor, at exit, runs after
// those of the main thread.
DeviceStreams& per_thread_streams() {
  static thread_local DeviceStreams* streams = nullptr;
  static thread_local struct AtEnd {
    ~AtEnd() {
      delete streams;
      streams = nullptr;
    }
  } at_end;
  (void)at_end;
  if (!streams) streams = new DeviceStreams;
  return *streams;
}

}  // namespace

std::shared_ptr<Stream> find_stream(cudaStream_t handle) {
  static auto* legacy = new DeviceStreams;
  if (handle == nullptr && per_thread_default) handle = cudaStreamPerThread;
  if (handle == nullptr || handle == cudaStreamLegacy)
    return default_stream(*legacy, cudaStreamLegacy);
  if (handle == cudaStreamPerThread)
    return default_stream(per_thread_streams(), cudaStreamPerThread);
  return StreamTable::instance().find(handle);
}

PerThreadDefault::PerThreadDefault() : before_(per_thread_default) { per_thread_default = true; }
PerThreadDefault::~PerThreadDefault() { per_thread_default = before_; }

cudaError_t submit_and_wait(cudaStream_t handle, const Operation& operation) {
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cudaError_t e = check_not_capturing(*stream)) return e;
  if (cudaError_t e = check_implicit(*stream)) return e;
  return operation.run();
}

cudaError_t submit(cudaStream_t handle, Operation operation) {
  ApiLock lock;
  if (cudaError_t e = check_sticky()) return e;
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (operation.kind == Operation::Kind::Kernel && stream->device != current_device()) {
    say("the kernel's stream belongs to device " + std::to_string(stream->device) +
        ", but device " + std::to_string(current_device()) + " is current");
    return cudaErrorInvalidResourceHandle;
  }
  if (stream->capture) return capture_operation(*stream, std::move(operation));
  if (cudaError_t e = check_implicit(*stream)) return e;
  // After a failure a GPU does nothing more; the failure itself shows at the next wait.
  if (device_failed()) return cudaSuccess;
  return operation.run ? operation.run() : cudaSuccess;
}

void reset_streams(int device) {
  ApiLock lock;
  auto ended = captures();
  captures().clear();
  for (auto& capture : ended)
    for (auto& stream : capture->streams) {
      stream->capture.reset();
      stream->tail.clear();
      stream->tail_edges.clear();
    }
  std::vector<cudaStream_t> streams;
  for (auto& [handle, stream] : StreamTable::instance().all())
    if (stream->device == device) streams.push_back(handle);
  for (auto handle : streams) StreamTable::instance().remove(handle);
  std::vector<cudaEvent_t> events;
  for (auto& [handle, event] : EventTable::instance().all())
    if (event->device == device) events.push_back(handle);
  for (auto handle : events) EventTable::instance().remove(handle);
}

}  // namespace emu::cudart

using namespace emu::cudart;

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
    if (stream->capture) spoil(*stream->capture);
    StreamTable::instance().remove(handle);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return waiting_call([&] { return wait_for(handle); });
}

EMU_API cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return waiting_call([&] { return wait_for(handle); });
}

EMU_API cudaError_t cudaDeviceSynchronize() {
  return waiting_call([&]() -> cudaError_t {
    bool met = false;
    for (auto& capture : captures())
      if (capture->origin->device == current_device()) spoil(*capture), met = true;
    return met ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle,
                                        unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (flags & ~cudaEventWaitExternal) return cudaErrorInvalidValue;
    auto stream = find_stream(handle);
    auto event = find_event(event_handle);
    if (!stream || !event) return cudaErrorInvalidResourceHandle;
    if (flags & cudaEventWaitExternal) {
      if (!stream->capture) return cudaErrorIllegalState;
      return capture_operation(*stream, wait_operation(event_handle));
    }
    if (stream->capture || event->captured) return capture_wait(stream, *event);
    if (cudaError_t e = check_implicit(*stream)) return e;
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

EMU_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* data) {
  return call([&]() -> cudaError_t {
    if (!fn) return cudaErrorInvalidValue;
    return submit(stream, host_operation({fn, data}));
  });
}

EMU_API cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                          void* data, unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    auto stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (cudaError_t e = check_not_capturing(*stream)) return e;
    if (cudaError_t e = check_implicit(*stream)) return e;
    // Unlike a host function, a callback is called after a failure too, and told of it.
    cudaError_t status = check_device();
    ApiUnlock unlocked;
    callback(handle, status, data);
    return cudaSuccess;
  });
}
