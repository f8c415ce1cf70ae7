// SPDX-License-Identifier: MIT
// The error state: what each thread saw last, and the failure of a kernel, which stays until
// cudaDeviceReset.
//
// A kernel's failure goes through two steps, as on a GPU: `pending` from the moment it happens,
// `visible` from the first call that waits for the device. Between the two a launch and
// cudaGetLastError still say success.
#include "cudart/calls/errors.hpp"

#include <atomic>

#include "cudart/calls/call.hpp"

namespace emu::cudart {

namespace {

thread_local cudaError_t last_error = cudaSuccess;
std::atomic<cudaError_t> pending{cudaSuccess};
std::atomic<cudaError_t> visible{cudaSuccess};
std::atomic<cudaError_t> refused{cudaSuccess};

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};

constexpr ErrorText kErrors[] = {
#define ERROR(name, text) {name, #name, text},
#include "cudart/calls/errors.def"
#undef ERROR
};

const ErrorText* find_text(cudaError_t code) {
  for (const ErrorText& e : kErrors)
    if (e.code == code) return &e;
  return nullptr;
}

}  // namespace

cudaError_t finish(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

void raise_sticky(cudaError_t error) {
  // The first failure is the one that is told.
  cudaError_t none = cudaSuccess;
  pending.compare_exchange_strong(none, error);
}

void raise_refused(cudaError_t error) { refused.store(error); }

cudaError_t check_waited() {
  if (cudaError_t error = check_device()) return error;
  return refused.exchange(cudaSuccess);
}

cudaError_t check_device() {
  cudaError_t error = pending.load();
  if (error != cudaSuccess) visible.store(error);
  return error;
}

cudaError_t check_sticky() { return visible.load(); }

bool device_failed() { return pending.load() != cudaSuccess; }

void reset_errors() {
  pending.store(cudaSuccess);
  visible.store(cudaSuccess);
  refused.store(cudaSuccess);
  last_error = cudaSuccess;
}

}  // namespace emu::cudart

using namespace emu::cudart;

EMU_API cudaError_t cudaGetLastError() {
  // A sticky error is cleared here too: it comes back with the next call that needs the device.
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  if (error == refused.load()) refused.store(cudaSuccess);
  return error;
}

EMU_API cudaError_t cudaPeekAtLastError() { return last_error; }

EMU_API const char* cudaGetErrorName(cudaError_t error) {
  const auto* text = find_text(error);
  return text ? text->name : "unrecognized error code";
}

EMU_API const char* cudaGetErrorString(cudaError_t error) {
  const auto* text = find_text(error);
  return text ? text->text : "unrecognized error code";
}
