// SPDX-License-Identifier: MIT
// Device and managed memory: allocate, free, ask how much is left.
#include "cudart/memory/memory.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <vector>

#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/environment/host_watch.hpp"
#include "cudart/memory/host_memory.hpp"
#include "cudart/memory/pool.hpp"
#include "cudart/streams/capture.hpp"
#include "cudart/streams/order.hpp"
#include "cudart/streams/under_way.hpp"

namespace emu::cudart {

namespace {

using memory::AddressSpace;
using memory::Kind;

constexpr std::size_t kPitch =
    512;  // rows of cudaMallocPitch begin at multiples of it, as on current GPUs

// Allocated, and perhaps not touched yet: smaller allocations are filled when they are made.
std::size_t lazy_bytes = 0;

bool is_lazy(const memory::Allocation& allocation) {
  return allocation.size > memory::kFillLimit && allocation.kind != Kind::Registered;
}

// What a program has not given back when it ends.
void tell_leaks(check::Findings& findings, int) {
  if (any_device_failed()) return;  // then nothing can be freed
  std::vector<memory::Address> live;
  for (const auto& [address, note] : memory_notes()) live.push_back(address);
  std::sort(live.begin(), live.end());
  for (const memory::Address address : live) {
    const auto* allocation = AddressSpace::instance().find_start(address);
    if (!allocation || allocation->kind == Kind::Registered) continue;
    check::Finding f;
    f.check = check::Check::Leak;
    f.id = "leak";
    f.title = "memory that was not freed";
    f.what = memory::name_of(*allocation);
    f.cure = allocation->kind == Kind::Pinned ? "cudaFreeHost() before the program ends"
                                              : "cudaFree() before the program ends";
    findings.add(std::move(f));
  }
}

void keep_note(const memory::Allocation& allocation) {
  if (wanted_checks().leak) look_at_end(&tell_leaks);
  memory_notes()[allocation.address] = {};
  if (allocation.kind == Kind::Managed || allocation.kind == Kind::Pinned) {
    watch_memory(allocation.address, allocation.size);
  }
  if (is_lazy(allocation)) lazy_bytes += allocation.size;
}

std::size_t left_on(int device) {
  std::size_t total = profile(device).global_memory_bytes,
              used = AddressSpace::instance().bytes_in_use(device);
  return used < total ? total - used : 0;
}

cudaError_t allocate_pitched(void** out, std::size_t* pitch, std::size_t width, std::size_t rows,
                             const char* api) {
  if (!out || !pitch) return cudaErrorInvalidValue;
  std::size_t bytes = 0;
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  if (*pitch < width || __builtin_mul_overflow(*pitch, rows, &bytes))
    return cudaErrorMemoryAllocation;
  return allocate_device(out, bytes, current_device(), api);
}

}  // namespace

std::unordered_map<memory::Address, MemoryNote>& memory_notes() {
  static auto* notes = new std::unordered_map<memory::Address, MemoryNote>;
  return *notes;
}

std::string describe_pointer(memory::Address address, std::size_t n) {
  const auto& space = AddressSpace::instance();
  if (address == 0 || space.in_device_range(address) || space.find(address))
    return space.describe(address, n);
  char text[48];
  std::snprintf(text, sizeof text, "0x%llx is a host address",
                static_cast<unsigned long long>(address));
  return text;
}

cudaError_t allocate_memory(void** out, std::size_t size, Kind kind, int device, const char* api) {
  if (cudaError_t e = check_host_memory(size, lazy_bytes, api)) return e;
  try {
    auto& allocation = AddressSpace::instance().allocate(size, kind, device);
    keep_note(allocation);
    *out = reinterpret_cast<void*>(allocation.address);
  } catch (const std::bad_alloc&) {
    say(std::string(api) + ": this machine has no memory for " + std::to_string(size) + " bytes");
    return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

cudaError_t allocate_device_at(memory::Address address, std::size_t size, int device,
                               const char* api) {
  if (size > left_on(device)) return cudaErrorMemoryAllocation;
  if (cudaError_t e = check_host_memory(size, lazy_bytes, api)) return e;
  auto* allocation = AddressSpace::instance().allocate_at(address, size, Kind::Device, device);
  if (!allocation) return cudaErrorMemoryAllocation;
  keep_note(*allocation);
  return cudaSuccess;
}

cudaError_t allocate_device(void** out, std::size_t size, int device, const char* api) {
  if (!out) return cudaErrorInvalidValue;
  *out = nullptr;
  if (size == 0) return cudaSuccess;
  if (size > left_on(device)) return cudaErrorMemoryAllocation;
  return allocate_memory(out, size, Kind::Device, device, api);
}

bool release_memory(memory::Address address) {
  const auto* allocation = AddressSpace::instance().find_start(address);
  if (!allocation) return false;
  auto it = memory_notes().find(address);
  if (it != memory_notes().end()) {
    if (is_lazy(*allocation)) lazy_bytes -= allocation->size;
    if (it->second.pool) note_pool_free(it->second.pool, allocation->size);
    memory_notes().erase(it);
  }
  unwatch_memory(address);
  check::Checker* const checker = launch_checker();
  // What was only registered is the host's own, and may share a page with something else.
  if (checker && allocation->kind != Kind::Registered) checker->freed(address, allocation->size);
  return AddressSpace::instance().release(address);
}

void reset_memory(int device) {
  std::vector<memory::Address> mine;
  for (auto& [address, note] : memory_notes()) {
    const auto* allocation = AddressSpace::instance().find_start(address);
    if (allocation && allocation->device == device) mine.push_back(address);
  }
  for (auto address : mine) release_memory(address);
  for (int other = 0; other < device_count(); ++other)
    if (other != device) AddressSpace::instance().allow_peer(device, other, false);
}

}  // namespace emu::cudart

using namespace emu::cudart;
using emu::memory::AddressSpace;
using emu::memory::Kind;

EMU_API cudaError_t cudaMalloc(void** out, size_t size) {
  return call([&]() -> cudaError_t {
    if (cudaError_t e = check_capture()) return e;
    return allocate_device(out, size, current_device(), "cudaMalloc");
  });
}

EMU_API cudaError_t cudaMallocManaged(void** out, size_t size, unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (cudaError_t e = check_capture()) return e;
    // Unlike cudaMalloc, which gives a null pointer for no bytes, it refuses them.
    if (!out || size == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    *out = nullptr;
    if (cudaError_t e =
            allocate_memory(out, size, Kind::Managed, current_device(), "cudaMallocManaged"))
      return e;
    memory_notes()[address_of(*out)].flags = flags;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaMallocPitch(void** out, size_t* pitch, size_t width, size_t height) {
  return call([&]() -> cudaError_t {
    if (cudaError_t e = check_capture()) return e;
    return allocate_pitched(out, pitch, width, height, "cudaMallocPitch");
  });
}

EMU_API cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
  return call([&]() -> cudaError_t {
    if (cudaError_t e = check_capture()) return e;
    if (!out) return cudaErrorInvalidValue;
    size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
      return cudaErrorMemoryAllocation;
    *out = {nullptr, 0, extent.width, extent.height};
    return allocate_pitched(&out->ptr, &out->pitch, extent.width, rows, "cudaMalloc3D");
  });
}

EMU_API cudaError_t cudaFree(void* pointer) {
  return waiting_call([&]() -> cudaError_t {
    if (cudaError_t e = check_capture()) return e;
    if (!pointer) return cudaSuccess;
    const auto* allocation = AddressSpace::instance().find_start(address_of(pointer));
    bool ours =
        allocation && (allocation->kind == Kind::Device || allocation->kind == Kind::Managed);
    if (several_devices()) finish_device(current_device());
    host_waited_device(current_device());
    if (ours && release_memory(address_of(pointer))) return cudaSuccess;
    std::string line = "cudaFree: " + describe_pointer(address_of(pointer), 0);
    if (allocation && allocation->kind == Kind::Pinned) line += "; free it with cudaFreeHost";
    say(line);
    return cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return waiting_call([&]() -> cudaError_t {
    if (!free || !total) return cudaErrorInvalidValue;
    *free = left_on(current_device());
    *total = profile(current_device()).global_memory_bytes;
    return cudaSuccess;
  });
}
