// SPDX-License-Identifier: MIT
// What the memory functions know of an allocation beyond its bytes: flags, pool, advice.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include "memory/address_space.hpp"

namespace emu::cudart {

inline memory::Address address_of(const void* pointer) {
  return reinterpret_cast<memory::Address>(pointer);
}

struct MemoryNote {
  unsigned int flags = 0;        // of cudaHostAlloc, cudaHostRegister
  cudaMemPool_t pool = nullptr;  // it came from
  // Managed memory; kept per allocation, not per page.
  bool read_mostly = false;
  cudaMemLocation preferred{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  cudaMemLocation prefetched{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  std::set<int> accessed_by;
};

// By the start of the allocation; everything the API allocated or registered has an entry.
std::unordered_map<memory::Address, MemoryNote>& memory_notes();

// AddressSpace::describe for a message of the API: of host memory it says just that, not what a
// kernel may touch.
std::string describe_pointer(memory::Address address, std::size_t n);

// Memory of a kind that a program can ask for, with its note; cudaErrorMemoryAllocation (and a line)
// if the host cannot give it. `size` is not 0.
cudaError_t allocate_memory(void** out, std::size_t size, memory::Kind kind, int device,
                            const char* api);
// Device memory again at the address it had before it was freed; cudaErrorMemoryAllocation if that
// was given away meanwhile.
cudaError_t allocate_device_at(memory::Address address, std::size_t size, int device,
                               const char* api);
// Device memory; cudaErrorMemoryAllocation above what the modelled GPU has left.
cudaError_t allocate_device(void** out, std::size_t size, int device, const char* api);
// Releases and forgets the notes; the pool's count goes down.
bool release_memory(memory::Address address);
// For cudaDeviceReset: frees the device's memory.
void reset_memory(int device);

}  // namespace emu::cudart
