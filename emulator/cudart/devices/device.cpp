// SPDX-License-Identifier: MIT
// The device calls of the API: counting, choosing, describing, limits. (cudaDeviceReset reaches
// into every room: exports/device_reset.cpp.)
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "cudart/calls/call.hpp"
#include "cudart/devices/attributes.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/observers.hpp"

using namespace emu;
using namespace emu::cudart;

namespace {

constexpr int kRuntimeVersion = 13000;
constexpr int kHighestPriority = -5;  // lowest is 0
constexpr std::size_t kMostStack = 511 * 1024, kLeastFifo = 512 * 1024, kLeastHeap = 4 << 20;

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// "0000:01:00.0"
std::string pci_bus_id(int device) {
  char text[24];
  std::snprintf(text, sizeof text, "0000:%02x:00.0", static_cast<unsigned>(device + 1));
  return text;
}

// One field of the state of the current device, as it is asked for and set.
template <class T>
cudaError_t get_value(T* out, const T& value) {
  if (!out) return cudaErrorInvalidValue;
  *out = value;
  return cudaSuccess;
}

cudaError_t set_limit(DeviceState& state, cudaLimit limit, std::size_t value,
                      const devices::Profile& gpu) {
  switch (limit) {
    case cudaLimitStackSize:
      if (value > kMostStack) return cudaErrorInvalidValue;
      state.limits.stack = round_up(value, 16);
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      state.limits.printf_fifo = std::max(round_up(value, 256), kLeastFifo);
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      state.limits.malloc_heap = std::max(round_up(value, 256), kLeastHeap);
      return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
      return cudaErrorUnsupportedLimit;
    case cudaLimitDevRuntimePendingLaunchCount:
      state.pending_launches = value;
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      if (value > 128) return cudaErrorInvalidValue;
      state.l2_fetch_granularity = value;
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
      if (gpu.persisting_l2_bytes == 0) return cudaErrorUnsupportedLimit;
      state.persisting_l2 = std::min<std::size_t>(value, gpu.persisting_l2_bytes);
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t get_limit(const DeviceState& state, cudaLimit limit, std::size_t& value,
                      const devices::Profile& gpu) {
  switch (limit) {
    case cudaLimitStackSize:
      value = state.limits.stack;
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      value = state.limits.printf_fifo;
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      value = state.limits.malloc_heap;
      return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
      return cudaErrorUnsupportedLimit;
    case cudaLimitDevRuntimePendingLaunchCount:
      value = state.pending_launches;
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      value = state.l2_fetch_granularity;
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
      if (gpu.persisting_l2_bytes == 0) return cudaErrorUnsupportedLimit;
      value =
          state.persisting_l2.value_or(static_cast<std::size_t>(gpu.persisting_l2_bytes / 10 * 3));
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

bool valid_flags(unsigned int flags) {
  const unsigned int schedule = flags & cudaDeviceScheduleMask;
  const unsigned int known =
      cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
  return (flags & ~known) == 0 && schedule != 3 && schedule <= cudaDeviceScheduleBlockingSync;
}

}  // namespace

EMU_API cudaError_t cudaGetDeviceCount(int* count) {
  return query([&] { return get_value(count, device_count()); });
}

EMU_API cudaError_t cudaSetDevice(int device) {
  return query([&] {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    set_current_device(device);
    return check_sticky();
  });
}

EMU_API cudaError_t cudaGetDevice(int* device) {
  return query([&] { return get_value(device, current_device()); });
}

EMU_API cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  return query([&] {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    if ((flags & cudaInitDeviceFlagsAreValid) == 0) return cudaSuccess;
    if (!valid_flags(device_flags)) return cudaErrorInvalidValue;
    device_state(device).flags = device_flags;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaSetValidDevices(int* list, int length) {
  return query([&] {
    if (length < 0 || (length > 0 && !list)) return cudaErrorInvalidValue;
    for (int i = 0; i < length; ++i)
      if (!valid_device(list[i])) return cudaErrorInvalidDevice;
    if (length > 0) set_current_device(list[0]);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return query([&] {
    if (!properties) return cudaErrorInvalidValue;
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    *properties = device_properties(profile(device), device);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return query([&] {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    const auto found = device_attribute(profile(device), device, attribute);
    return found ? get_value(value, *found) : cudaErrorInvalidValue;
  });
}

// All virtual devices are alike, so the first does as well as any.
EMU_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return query([&] { return properties ? get_value(device, 0) : cudaErrorInvalidValue; });
}

EMU_API cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return query([&] {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    const std::string id = pci_bus_id(device);
    if (!text || length <= static_cast<int>(id.size())) return cudaErrorInvalidValue;
    std::memcpy(text, id.c_str(), id.size() + 1);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return query([&] {
    unsigned domain = 0, bus = 0, slot = 0;
    if (!device || !text) return cudaErrorInvalidValue;
    if (std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3) {
      domain = 0;
      if (std::sscanf(text, "%x:%x", &bus, &slot) != 2) return cudaErrorInvalidValue;
    }
    if (domain != 0 || slot != 0 || bus == 0 || !valid_device(static_cast<int>(bus) - 1))
      return cudaErrorInvalidDevice;
    *device = static_cast<int>(bus) - 1;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from,
                                              int to) {
  return query([&] {
    if (!valid_device(from) || !valid_device(to) || from == to) return cudaErrorInvalidDevice;
    switch (attribute) {
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
        return get_value(value, can_be_peers(from, to) ? 1 : 0);
      case cudaDevP2PAttrPerformanceRank:
      case cudaDevP2PAttrCudaArrayAccessSupported:
      case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
        return get_value(value, 0);
    }
    return cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&] {
    return set_limit(device_state(current_device()), limit, value, profile(current_device()));
  });
}

EMU_API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&] {
    if (!value) return cudaErrorInvalidValue;
    return get_limit(device_state(current_device()), limit, *value, profile(current_device()));
  });
}

EMU_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call([&] { return get_value(config, device_state(current_device()).cache); });
}

EMU_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call([&] {
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
      return cudaErrorInvalidValue;
    device_state(current_device()).cache = config;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call([&] { return get_value(config, device_state(current_device()).bank_size); });
}

// No GPU since Kepler has another bank size: the wish is accepted and four bytes stay.
EMU_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return call([&] {
    const bool known =
        config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
    return known ? cudaSuccess : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] {
    if (least) *least = 0;
    if (greatest) *greatest = kHighestPriority;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return query(
      [&] { return get_value(flags, device_state(current_device()).flags | cudaDeviceMapHost); });
}

EMU_API cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return query([&] {
    if (!valid_flags(flags)) return cudaErrorInvalidValue;
    device_state(current_device()).flags = flags;
    return cudaSuccess;
  });
}

// Nothing is set aside here. The call is what a program flushes the modelled L2 cache with, where a real
// flush would take the emulator long.
EMU_API cudaError_t cudaCtxResetPersistingL2Cache() {
  return call([] {
    flush_modelled_l2();
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDriverGetVersion(int* version) {
  return query([&] { return get_value(version, kRuntimeVersion); });
}

EMU_API cudaError_t cudaRuntimeGetVersion(int* version) {
  return query([&] { return get_value(version, kRuntimeVersion); });
}
