// SPDX-License-Identifier: MIT
// What the parts of the runtime front share: error state, the device a thread uses, and how work
// gets onto a stream.
//
// Work is done when it is submitted: that is a legal order of any program whose streams are ordered
// by events, and it is deterministic. A kernel's failure is kept apart (`pending`) and shows at the
// next call that would wait for the device, as on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "devices/profile.hpp"
#include "engine/launch.hpp"

#define EMU_API extern "C" __attribute__((visibility("default")))

namespace emu::cudart {

// ---- errors (errors.cpp)
// Every API function ends in `return finish(error)`: remembers what is not success as the thread's
// last error.
cudaError_t finish(cudaError_t error);
// A failure inside a kernel. Sticky: from the next synchronising call on every call of this process
// returns it until cudaDeviceReset.
void raise_sticky(cudaError_t error);
// At the start of a call that waits for the device (copies, synchronise, queries, free...): makes a
// pending failure visible and returns it.
cudaError_t check_device();
// At the start of any other call: cudaSuccess, or the sticky error once it has become visible.
cudaError_t check_sticky();
// One line on stderr: "warp-ladder emulator: ..."
void say(const std::string& line);
// A kernel has failed and cudaDeviceReset has not been called: work behind it is not done any more.
bool device_failed();
// For cudaDeviceReset: forget pending and sticky errors; end captures; free the device's memory.
void reset_errors();
void reset_streams(int device);
void reset_memory(int device);
// Inside a capture that forbids "potentially unsafe" calls (cudaMalloc and what waits for the
// device): spoils the capture and returns cudaErrorStreamCaptureUnsupported. (capture.cpp)
cudaError_t check_capture();

// Held by every API call (lock.hpp releases it around host functions).
std::recursive_mutex& api_mutex();

// ---- devices (device.cpp)
// What every call returns when a variable of the environment (WARPLADDER_DEVICE,
// WARPLADDER_DEVICES, WARPLADDER_COUNTERS, WARPLADDER_ANNOTATE) is wrong or the self-check of the
// engine fails, else cudaSuccess.
cudaError_t environment_error();
int device_count();  // WARPLADDER_DEVICES, default 1
inline bool valid_device(int device) { return device >= 0 && device < device_count(); }
int current_device();
const devices::Profile& profile(int device);  // WARPLADDER_DEVICE, default h200
struct DeviceLimits {
  std::size_t stack = 1024, printf_fifo = 8650752, malloc_heap = 8 << 20;
};
DeviceLimits& limits(int device);

// ---- kernels (module.cpp, launch.cpp)
// The kernel behind a host stub's address or a cudaKernel_t / cudaFunction_t, on a device; nullptr
// if the program has none (an error line was printed).
const exec::Kernel* find_kernel(const void* handle, int device, cudaError_t& why);
// Address of a __device__/__constant__/__managed__ variable by the address of its host shadow.
// `why` gets the error the API returns when there is none.
const exec::GlobalVariable* find_symbol(const void* host_variable, int device,
                                        cudaError_t* why = nullptr);

struct KernelLaunch {
  const void* handle = nullptr;
  dim3 grid, block;
  dim3 cluster{1, 1, 1};
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
  std::vector<std::byte> params;  // copied at submission
};
// Copies the arguments (void* per parameter) and makes the launch checks of the real runtime.
cudaError_t prepare(KernelLaunch& launch, void** args);
// Runs it now on a device.
cudaError_t run(const KernelLaunch& launch, int device);

// ---- streams (stream.cpp)
// One piece of work on a stream: done at once, or added to the graph the stream is capturing.
struct Operation {
  enum class Kind {
    Kernel,
    Memcpy,
    Memset,
    Host,
    EventRecord,
    EventWait,
    Alloc,
    Free,
    Empty
  } kind = Kind::Empty;
  std::function<cudaError_t()>
      run;  // must own what it needs: it may run again at each graph launch
  std::shared_ptr<KernelLaunch> kernel;  // Kind::Kernel
  std::any detail;  // parameters of other kinds, for the graph's Get/SetParams (operations.hpp)
};
// Kind::Kernel with run(launch, device) behind it.
Operation kernel_operation(KernelLaunch launch, int device);
cudaError_t submit(cudaStream_t stream, Operation operation);

// ---- time (clock.cpp); kernels: clock.hpp
void advance_clock(Operation::Kind kind, std::uint64_t bytes, int device);

}  // namespace emu::cudart
