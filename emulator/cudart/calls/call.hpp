// SPDX-License-Identifier: MIT
// The frame of an API function: lock, look at the device's state, do it, remember the error. No
// exception leaves the library.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>
#include <new>
#include <string>

#include "cudart/calls/errors.hpp"
#include "cudart/calls/lock.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/startup.hpp"

#define EMU_API extern "C" __attribute__((visibility("default")))

namespace emu::cudart {

// The API function this thread is in, for messages; of several, the innermost.
const char* current_call();

// While one lives, this thread is in the API function `name`.
class CallName {
 public:
  explicit CallName(const char* name);
  ~CallName();
  CallName(const CallName&) = delete;
  CallName& operator=(const CallName&) = delete;

 private:
  const char* before_;
};

template <class Body>
cudaError_t guarded(cudaError_t (*check)(), Body&& body, const char* api) {
  ApiLock lock;
  CallName name(api);
  if (cudaError_t wrong = environment_error()) return finish(wrong);
  if (cudaError_t failed = check()) return finish(failed);
  try {
    return finish(body());
  } catch (const std::bad_alloc&) {
    return finish(cudaErrorMemoryAllocation);
  } catch (const std::exception& e) {
    say(std::string("internal error: ") + e.what());
    return finish(cudaErrorUnknown);
  }
}

// A call that returns before the device is done. Its name is that of the function this stands in; a
// helper between the two hands it on.
template <class Body>
cudaError_t call(Body&& body, const char* api = __builtin_FUNCTION()) {
  return guarded(check_sticky, body, api);
}

// A call that waits for the device, so that a kernel's failure shows here.
template <class Body>
cudaError_t waiting_call(Body&& body, const char* api = __builtin_FUNCTION()) {
  return guarded(check_device, body, api);
}

// A call that answers even when a kernel has failed.
template <class Body>
cudaError_t query(Body&& body, const char* api = __builtin_FUNCTION()) {
  return guarded([]() -> cudaError_t { return cudaSuccess; }, body, api);
}

}  // namespace emu::cudart
