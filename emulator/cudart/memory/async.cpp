// SPDX-License-Identifier: MIT
// Stream-ordered allocation.
#include "cudart/memory/async.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/memory/memory.hpp"
#include "cudart/memory/pool.hpp"
#include "cudart/streams/capture.hpp"
#include "cudart/streams/order.hpp"
#include "cudart/streams/running.hpp"
#include "cudart/streams/under_way.hpp"

namespace emu::cudart {

using memory::Address;
using memory::AddressSpace;
using memory::Kind;

namespace {

bool fits_in(const MemoryPool& pool, std::size_t size) {
  return !pool.limit || (pool.used <= pool.limit && size <= pool.limit - pool.used);
}

void count_in(MemoryPool& pool, Address address, std::size_t size) {
  memory_notes()[address].pool = pool.handle;
  pool.used += size;
  pool.used_high = std::max(pool.used_high, pool.used);
}

// Owned by the operations that use it. The address is the graph's for ever; the memory behind it may
// be freed by the program, and is there again when the graph runs again.
struct GraphMemory {
  GraphMemory(Address at, std::size_t bytes)
      : address(at), size(bytes), pool(memory_notes()[at].pool) {}
  ~GraphMemory() { release_memory(address); }
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  cudaError_t allocate() const {
    if (AddressSpace::instance().find_start(address)) return cudaSuccess;
    auto from = PoolTable::instance().find(pool);
    if (!from || !fits_in(*from, size)) return cudaErrorMemoryAllocation;
    if (cudaError_t e = allocate_device_at(address, size, from->device, "graph allocation node"))
      return e;
    count_in(*from, address, size);
    return cudaSuccess;
  }

  Address address;
  std::size_t size;
  cudaMemPool_t pool;
};

}  // namespace

cudaError_t allocate_from(void** out, size_t size, MemoryPool& pool) {
  if (!fits_in(pool, size)) return cudaErrorMemoryAllocation;
  if (cudaError_t e = allocate_device(out, size, pool.device, "cudaMallocAsync")) return e;
  if (*out) count_in(pool, address_of(*out), size);
  return cudaSuccess;
}

Operation allocation_operation(cudaMemAllocNodeParams params) {
  auto memory = std::make_shared<GraphMemory>(address_of(params.dptr), params.bytesize);
  Operation op;
  op.kind = Operation::Kind::Alloc;
  op.run = [memory] { return memory->allocate(); };
  op.detail = params;
  return op;
}

Operation free_operation(void* pointer) {
  Operation op;
  op.kind = Operation::Kind::Free;
  op.run = [pointer] {
    release_memory(address_of(pointer));
    return cudaSuccess;
  };
  op.detail = pointer;
  return op;
}

namespace {

// Memory that a stream gives out, or takes back, is another stream's only behind that.
void tell_checks(const Stream& stream, void* pointer, std::size_t size, const char* api,
                 const char* does) {
  check::Orders* const orders = race_orders();
  if (!orders || !pointer) return;
  orders->begin(order_key(stream));
  launch_checker()->api_use({address_of(pointer), size}, true, api, does);
}

cudaError_t allocate_on(void** out, size_t size, std::shared_ptr<MemoryPool> pool,
                        cudaStream_t handle) {
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (!out || !pool) return cudaErrorInvalidValue;
  if (stream->capture && !stream->capture->valid) return invalidated(*stream->capture);
  if (!stream->capture)
    if (cudaError_t e = check_implicit(*stream)) return e;
  if (cudaError_t e = allocate_from(out, size, *pool)) return e;
  if (!stream->capture) {
    tell_checks(*stream, *out, size, "cudaMallocAsync", "gives it out");
    return cudaSuccess;
  }
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location = {cudaMemLocationTypeDevice, pool->device};
  params.bytesize = size;
  params.dptr = *out;
  return capture_operation(*stream, allocation_operation(params));
}

cudaError_t free_on(void* pointer, cudaStream_t handle) {
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (!pointer) return cudaSuccess;
  wait_behind_others(*stream);
  if (several_devices() && !stream->capture) finish_before(*stream);
  const auto* allocation = AddressSpace::instance().find_start(address_of(pointer));
  if (allocation && allocation->kind == Kind::Managed) return cudaErrorNotSupported;
  if (!allocation || allocation->kind != Kind::Device) {
    say("cudaFreeAsync: " + describe_pointer(address_of(pointer), 0));
    return cudaErrorInvalidValue;
  }
  if (stream->capture) return capture_operation(*stream, free_operation(pointer));
  if (cudaError_t e = check_implicit(*stream)) return e;
  tell_checks(*stream, pointer, allocation->size, "cudaFreeAsync", "takes it back");
  release_memory(address_of(pointer));
  return cudaSuccess;
}

}  // namespace

}  // namespace emu::cudart

using namespace emu::cudart;

EMU_API cudaError_t cudaMallocAsync(void** out, size_t size, cudaStream_t stream) {
  return call([&] { return allocate_on(out, size, current_pool(current_device()), stream); });
}

EMU_API cudaError_t cudaMallocFromPoolAsync(void** out, size_t size, cudaMemPool_t pool,
                                            cudaStream_t stream) {
  return call([&] { return allocate_on(out, size, PoolTable::instance().find(pool), stream); });
}

EMU_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call([&] { return free_on(pointer, stream); });
}
