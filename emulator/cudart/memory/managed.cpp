// SPDX-License-Identifier: MIT
// Hints about managed memory. There is one copy of it, so they change nothing but what can be asked
// back.
#include <cstring>

#include "cudart/calls/call.hpp"
#include "cudart/memory/memory.hpp"
#include "cudart/streams/capture.hpp"

using namespace emu::cudart;
using emu::memory::AddressSpace;
using emu::memory::Kind;

namespace {

// The note of the managed allocation that holds the whole range; nullptr and a line otherwise.
MemoryNote* managed_range(const void* pointer, size_t count, const char* api) {
  const auto* a = AddressSpace::instance().find(address_of(pointer));
  if (a && a->kind == Kind::Managed && a->holds(address_of(pointer), count))
    return &memory_notes()[a->address];
  say(std::string(api) +
      ": not a range of managed memory: " + describe_pointer(address_of(pointer), count));
  return nullptr;
}

cudaError_t check_location(const cudaMemLocation& location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return valid_device(location.id) ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

int legacy_id(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  return location.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : cudaCpuDeviceId;
}

cudaError_t advise(MemoryNote& note, cudaMemoryAdvise advice, const cudaMemLocation& location) {
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
      note.read_mostly = true;
      return cudaSuccess;
    case cudaMemAdviseUnsetReadMostly:
      note.read_mostly = false;
      return cudaSuccess;
    case cudaMemAdviseUnsetPreferredLocation:
      note.preferred = {cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
      return cudaSuccess;
    case cudaMemAdviseSetPreferredLocation:
      if (cudaError_t e = check_location(location)) return e;
      note.preferred = location;
      return cudaSuccess;
    case cudaMemAdviseSetAccessedBy:
      if (cudaError_t e = check_location(location)) return e;
      note.accessed_by.insert(legacy_id(location));
      return cudaSuccess;
    case cudaMemAdviseUnsetAccessedBy:
      if (cudaError_t e = check_location(location)) return e;
      note.accessed_by.erase(legacy_id(location));
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t give_attribute(const MemoryNote& note, cudaMemRangeAttribute attribute, void* data,
                           size_t size) {
  if (!data || size < sizeof(int) || size % sizeof(int) != 0) return cudaErrorInvalidValue;
  int* out = static_cast<int*>(data);
  if (attribute == cudaMemRangeAttributeAccessedBy) {
    auto it = note.accessed_by.begin();
    for (size_t i = 0; i < size / sizeof(int); ++i)
      out[i] = it == note.accessed_by.end() ? cudaInvalidDeviceId : *it++;
    return cudaSuccess;
  }
  if (size != sizeof(int)) return cudaErrorInvalidValue;
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *out = note.read_mostly;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *out = legacy_id(note.preferred);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *out = legacy_id(note.prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      *out = note.preferred.type;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      *out = note.preferred.id;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *out = note.prefetched.type;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *out = note.prefetched.id;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

EMU_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count,
                                         cudaMemLocation location, unsigned int flags,
                                         cudaStream_t handle) {
  return call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (cudaError_t e = check_not_capturing(*stream)) return e;
    if (cudaError_t e = check_implicit(*stream)) return e;
    if (flags != 0 || count == 0) return cudaErrorInvalidValue;
    if (cudaError_t e = check_location(location)) return e;
    MemoryNote* note = managed_range(pointer, count, "cudaMemPrefetchAsync");
    if (!note) return cudaErrorInvalidValue;
    note->prefetched = location;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice,
                                  cudaMemLocation location) {
  return call([&]() -> cudaError_t {
    if (count == 0) return cudaErrorInvalidValue;
    MemoryNote* note = managed_range(pointer, count, "cudaMemAdvise");
    return note ? advise(*note, advice, location) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaMemRangeGetAttribute(void* data, size_t size,
                                             cudaMemRangeAttribute attribute, const void* pointer,
                                             size_t count) {
  return call([&]() -> cudaError_t {
    MemoryNote* note = managed_range(pointer, count, "cudaMemRangeGetAttribute");
    return note ? give_attribute(*note, attribute, data, size) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes,
                                              cudaMemRangeAttribute* attributes, size_t n,
                                              const void* pointer, size_t count) {
  return call([&]() -> cudaError_t {
    if (!data || !sizes || !attributes || n == 0) return cudaErrorInvalidValue;
    MemoryNote* note = managed_range(pointer, count, "cudaMemRangeGetAttributes");
    if (!note) return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; ++i)
      if (cudaError_t e = give_attribute(*note, attributes[i], data[i], sizes[i])) return e;
    return cudaSuccess;
  });
}
