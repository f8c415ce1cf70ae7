// SPDX-License-Identifier: MIT
// Stream-ordered allocation.
#include "cudart/memory/async.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/memory/memory.hpp"
#include "cudart/memory/pool.hpp"
#include "cudart/streams/capture.hpp"

namespace emu::cudart {

using memory::AddressSpace;
using memory::Kind;

namespace {

// Owned by the operations that use it.
struct GraphMemory {
  explicit GraphMemory(void* memory) : pointer(memory) {}
  ~GraphMemory() { release_memory(address_of(pointer)); }
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  void* pointer;
};

}  // namespace

cudaError_t allocate_from(void** out, size_t size, MemoryPool& pool) {
  if (pool.limit && pool.used + size > pool.limit) return cudaErrorMemoryAllocation;
  if (cudaError_t e = allocate_device(out, size, pool.device, "cudaMallocAsync")) return e;
  if (!*out) return cudaSuccess;
  memory_notes()[address_of(*out)].pool = pool.handle;
  pool.used += size;
  pool.used_high = std::max(pool.used_high, pool.used);
  return cudaSuccess;
}

Operation allocation_operation(cudaMemAllocNodeParams params) {
  auto memory = std::make_shared<GraphMemory>(params.dptr);
  Operation op;
  op.kind = Operation::Kind::Alloc;
  op.run = [memory] {
    if (AddressSpace::instance().find_start(address_of(memory->pointer))) return cudaSuccess;
    say("the memory of a graph's allocation node was freed outside the graph, so the graph cannot "
        "run again");
    return cudaErrorInvalidValue;
  };
  op.detail = params;
  return op;
}

Operation free_operation(void* pointer) {
  Operation op;
  op.kind = Operation::Kind::Free;
  // The graph keeps its memory for the next launch.
  op.run = [] { return cudaSuccess; };
  op.detail = pointer;
  return op;
}

namespace {

cudaError_t allocate_on(void** out, size_t size, std::shared_ptr<MemoryPool> pool,
                        cudaStream_t handle) {
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (!out || !pool) return cudaErrorInvalidValue;
  if (stream->capture && !stream->capture->valid) return cudaErrorStreamCaptureInvalidated;
  if (!stream->capture)
    if (cudaError_t e = check_implicit(*stream)) return e;
  if (cudaError_t e = allocate_from(out, size, *pool)) return e;
  if (!stream->capture) return cudaSuccess;
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
  const auto* allocation = AddressSpace::instance().find_start(address_of(pointer));
  if (allocation && allocation->kind == Kind::Managed) return cudaErrorNotSupported;
  if (!allocation || allocation->kind != Kind::Device) {
    say("cudaFreeAsync: " + describe_pointer(address_of(pointer), 0));
    return cudaErrorInvalidValue;
  }
  if (stream->capture) return capture_operation(*stream, free_operation(pointer));
  if (cudaError_t e = check_implicit(*stream)) return e;
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
