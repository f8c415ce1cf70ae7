// SPDX-License-Identifier: MIT
// cudaMemPool functions: pools, their attributes and who may access them.
#include "cudart/memory/pool.hpp"

#include <algorithm>

#include "cudart/calls/call.hpp"

namespace emu::cudart {

namespace {

std::map<int, cudaMemPool_t>& chosen_pools() {
  static auto* chosen = new std::map<int, cudaMemPool_t>;
  return *chosen;
}

template <class Body>
cudaError_t with_pool(cudaMemPool_t handle, Body&& body) {
  return call([&]() -> cudaError_t {
    auto pool = PoolTable::instance().find(handle);
    return pool ? body(*pool) : cudaErrorInvalidValue;
  });
}

cudaError_t set_attribute(MemoryPool& pool, cudaMemPoolAttr attribute, const void* value) {
  if (!value) return cudaErrorInvalidValue;
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] =
          *static_cast<const int*>(value) != 0;
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      pool.release_threshold = *static_cast<const std::uint64_t*>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      if (*static_cast<const std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
      pool.used_high = pool.used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t get_attribute(const MemoryPool& pool, cudaMemPoolAttr attribute, void* value) {
  if (!value) return cudaErrorInvalidValue;
  auto* wide = static_cast<std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      *wide = pool.release_threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      *wide = pool.used;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      *wide = pool.used_high;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

std::shared_ptr<MemoryPool> default_pool(int device) {
  static auto* pools = new std::map<int, std::shared_ptr<MemoryPool>>;
  auto& pool = (*pools)[device];
  if (!pool) {
    pool = std::make_shared<MemoryPool>();
    pool->device = device;
    pool->builtin = true;
    PoolTable::instance().add(pool);
  }
  return pool;
}

std::shared_ptr<MemoryPool> current_pool(int device) {
  auto it = chosen_pools().find(device);
  auto pool = it == chosen_pools().end() ? nullptr : PoolTable::instance().find(it->second);
  return pool ? pool : default_pool(device);
}

void note_pool_free(cudaMemPool_t handle, std::uint64_t bytes) {
  if (auto pool = PoolTable::instance().find(handle)) pool->used -= std::min(bytes, pool->used);
}

}  // namespace emu::cudart

using namespace emu::cudart;

EMU_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return call([&]() -> cudaError_t {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    if (!out) return cudaErrorInvalidValue;
    *out = default_pool(device)->handle;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return call([&]() -> cudaError_t {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    if (!out) return cudaErrorInvalidValue;
    *out = current_pool(device)->handle;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return call([&]() -> cudaError_t {
    if (!valid_device(device)) return cudaErrorInvalidDevice;
    auto pool = PoolTable::instance().find(handle);
    if (!pool || pool->device != device) return cudaErrorInvalidValue;
    chosen_pools()[device] = handle;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps* props) {
  return call([&]() -> cudaError_t {
    if (!out || !props || props->allocType != cudaMemAllocationTypePinned)
      return cudaErrorInvalidValue;
    if (props->location.type != cudaMemLocationTypeDevice ||
        props->handleTypes != cudaMemHandleTypeNone) {
      say("cudaMemPoolCreate: only pools of device memory without shareable handles are supported");
      return cudaErrorNotSupported;
    }
    if (!valid_device(props->location.id)) return cudaErrorInvalidDevice;
    auto pool = std::make_shared<MemoryPool>();
    pool->device = props->location.id;
    pool->limit = props->maxSize;
    *out = PoolTable::instance().add(pool);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (pool.builtin) return cudaErrorInvalidValue;
    PoolTable::instance().remove(handle);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute,
                                            void* value) {
  return with_pool(handle, [&](MemoryPool& pool) { return set_attribute(pool, attribute, value); });
}

EMU_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute,
                                            void* value) {
  return with_pool(handle, [&](MemoryPool& pool) { return get_attribute(pool, attribute, value); });
}

EMU_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t) {
  return with_pool(handle, [](MemoryPool&) { return cudaSuccess; });
}

EMU_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* list,
                                         size_t count) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (count && !list) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      if (list[i].location.type != cudaMemLocationTypeDevice || !valid_device(list[i].location.id))
        return cudaErrorInvalidDevice;
      if (list[i].location.id == pool.device && list[i].flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; ++i) pool.access[list[i].location.id] = list[i].flags;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                         cudaMemLocation* location) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (!flags || !location || location->type != cudaMemLocationTypeDevice)
      return cudaErrorInvalidValue;
    if (!valid_device(location->id)) return cudaErrorInvalidDevice;
    auto it = pool.access.find(location->id);
    *flags = location->id == pool.device ? cudaMemAccessFlagsProtReadWrite
             : it != pool.access.end()   ? it->second
                                         : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}
