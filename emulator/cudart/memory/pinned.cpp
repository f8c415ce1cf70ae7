// SPDX-License-Identifier: MIT
// Pinned host memory. It has one address for the host and all devices.
#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/memory/memory.hpp"
#include "cudart/streams/capture.hpp"

using namespace emu::cudart;
using emu::memory::AddressSpace;
using emu::memory::Kind;

namespace {

cudaError_t allocate_pinned(void** out, size_t size, unsigned int flags, const char* api) {
  constexpr unsigned kKnown =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (cudaError_t e = check_capture()) return e;
  if (!out || (flags & ~kKnown)) return cudaErrorInvalidValue;
  *out = nullptr;
  if (size == 0) return cudaSuccess;
  if (cudaError_t e = allocate_memory(out, size, Kind::Pinned, current_device(), api)) return e;
  memory_notes()[address_of(*out)].flags = flags;
  return cudaSuccess;
}

// The allocation, if the host and the device may both use it.
const emu::memory::Allocation* find_pinned(const void* pointer) {
  const auto* a = AddressSpace::instance().find(address_of(pointer));
  return a && (a->kind == Kind::Pinned || a->kind == Kind::Registered) ? a : nullptr;
}

}  // namespace

EMU_API cudaError_t cudaMallocHost(void** out, size_t size) {
  return call([&] { return allocate_pinned(out, size, cudaHostAllocDefault, "cudaMallocHost"); });
}

EMU_API cudaError_t cudaHostAlloc(void** out, size_t size, unsigned int flags) {
  return call([&] { return allocate_pinned(out, size, flags, "cudaHostAlloc"); });
}

EMU_API cudaError_t cudaFreeHost(void* pointer) {
  return waiting_call([&]() -> cudaError_t {
    if (cudaError_t e = check_capture()) return e;
    if (!pointer) return cudaSuccess;
    const auto* allocation = AddressSpace::instance().find_start(address_of(pointer));
    if (allocation && allocation->kind == Kind::Pinned && release_memory(address_of(pointer)))
      return cudaSuccess;
    say("cudaFreeHost: not memory of cudaMallocHost or cudaHostAlloc: " +
        describe_pointer(address_of(pointer), 0));
    return cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags) {
  return call([&]() -> cudaError_t {
    constexpr unsigned kKnown = cudaHostRegisterPortable | cudaHostRegisterMapped |
                                cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (cudaError_t e = check_capture()) return e;
    if (!pointer || size == 0 || (flags & ~kKnown)) return cudaErrorInvalidValue;
    if (address_of(pointer) + size < size) return cudaErrorInvalidValue;  // past the last address
    auto& space = AddressSpace::instance();
    const auto* there = space.find(address_of(pointer));
    if (space.in_device_range(address_of(pointer)) && !(there && there->host_visible()))
      return cudaErrorInvalidValue;
    try {
      auto& allocation = space.adopt(pointer, size);
      allocation.device = current_device();
      memory_notes()[allocation.address].flags = flags;
    } catch (const std::invalid_argument&) {
      return cudaErrorHostMemoryAlreadyRegistered;
    }
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaHostUnregister(void* pointer) {
  return waiting_call([&]() -> cudaError_t {
    if (cudaError_t e = check_capture()) return e;
    if (!pointer) return cudaErrorInvalidValue;
    const auto* allocation = AddressSpace::instance().find(address_of(pointer));
    if (!allocation || allocation->kind != Kind::Registered)
      return cudaErrorHostMemoryNotRegistered;
    if (allocation->address != address_of(pointer)) return cudaErrorInvalidValue;
    release_memory(address_of(pointer));
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaHostGetDevicePointer(void** out, void* pointer, unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (!out || flags != 0 || !find_pinned(pointer)) return cudaErrorInvalidValue;
    *out = pointer;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  return call([&]() -> cudaError_t {
    const auto* allocation = find_pinned(pointer);
    if (!flags || !allocation) return cudaErrorInvalidValue;
    // With unified addressing all pinned memory is mapped.
    *flags = memory_notes()[allocation->address].flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}
