// SPDX-License-Identifier: MIT
// What nvcc's code calls before main() and around each `<<<>>>`. It runs in static constructors, so
// it writes down and does no work.
#include <type_traits>

#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/host_fault.hpp"
#include "cudart/loading/module.hpp"

using namespace emu::cudart;

namespace {

FatbinRecord* record_of(void** handle) { return Registry::instance().find_fatbin(handle); }

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

// Arguments of a launch may launch kernels themselves, hence a stack. It has no destructor: globals
// of the program may launch from theirs, after the thread's own have run.
constexpr unsigned kDeepest = 32;
thread_local CallConfiguration configurations[kDeepest];
thread_local unsigned depth = 0;
static_assert(std::is_trivially_destructible_v<CallConfiguration>);

}  // namespace

EMU_API void** __cudaRegisterFatBinary(void* wrapper) {
  ApiLock lock;
  watch_host_faults();
  return reinterpret_cast<void**>(Registry::instance().add(wrapper));
}

EMU_API void __cudaRegisterFatBinaryEnd(void**) {}

EMU_API void __cudaUnregisterFatBinary(void** handle) {
  ApiLock lock;
  if (FatbinRecord* record = record_of(handle)) Registry::instance().remove(record);
}

EMU_API void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int,
                                    uint3*, uint3*, dim3*, dim3*, int*) {
  ApiLock lock;
  if (FatbinRecord* record = record_of(handle))
    Registry::instance().add_kernel(*record, host, name);
}

EMU_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t size,
                               int, int) {
  ApiLock lock;
  if (FatbinRecord* record = record_of(handle))
    Registry::instance().add_variable(*record, host, name, size, false);
}

EMU_API void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int,
                                      size_t size, int, int) {
  ApiLock lock;
  if (FatbinRecord* record = record_of(handle))
    Registry::instance().add_variable(*record, host, name, size, true);
}

// Called before the host's first use of a managed variable.
EMU_API char __cudaInitModule(void** handle) {
  ApiLock lock;
  if (FatbinRecord* record = record_of(handle))
    Registry::instance().program(*record, current_device());
  return 1;
}

// Both are for hosts whose variables and functions the device reaches directly.
EMU_API void __cudaRegisterHostVar(void**, const char* name, char*, size_t) {
  say(std::string("the host variable ") + (name ? name : "?") +
      " cannot be used in device code: that is not supported");
}

EMU_API void** __cudaRegisterUnifiedTable(void*) {
  say("a table of functions for both host and device was registered: that is not supported");
  return nullptr;
}

EMU_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                             cudaStream_t stream) {
  if (depth == kDeepest) return 1;  // nvcc's code then leaves the launch out
  configurations[depth++] = {grid, block, shared, stream};
  return 0;
}

EMU_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared,
                                               void* stream) {
  if (depth == 0) return finish(cudaErrorMissingConfiguration);
  const CallConfiguration top = configurations[--depth];
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

EMU_API cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  ApiLock lock;
  KernelRecord* record = Registry::instance().kernel(host);
  if (!record) return finish(cudaErrorInvalidDeviceFunction);
  *kernel = reinterpret_cast<cudaKernel_t>(record);
  return cudaSuccess;
}
