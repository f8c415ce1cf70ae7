// SPDX-License-Identifier: MIT
// The error state: what each thread saw last, and the failure of a kernel, which stays until
// cudaDeviceReset.
//
// A kernel's failure goes through two steps, as on a GPU: `pending` from the moment it happens,
// `visible` from the first call that waits for the device. Between the two a launch and
// cudaGetLastError still say success.
#include "cudart/calls/errors.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

#include "cudart/calls/call.hpp"
#include "cudart/environment/checks.hpp"

namespace emu::cudart {

namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local int seen_device = 0;
struct Failure {
  std::atomic<cudaError_t> pending{cudaSuccess}, visible{cudaSuccess};
};
std::array<Failure, kMostDevices> failures;
std::atomic<cudaError_t> refused{cudaSuccess};

Failure& of(int device) { return failures[static_cast<std::size_t>(device)]; }

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

// The first error that a call returned and cudaGetLastError() has not told since.
struct Unseen {
  const char* call = nullptr;
  cudaError_t error = cudaSuccess;
} unseen;

std::string in_words(cudaError_t error) {
  const ErrorText* text = find_text(error);
  return text ? std::string(text->name) + " (" + text->text + ")" : std::to_string(error);
}

// A program that ends well has seen no error. What it did with what a call returned cannot be known.
void tell_unseen(check::Findings& findings, int status) {
  if (status != 0) return;
  check::Finding f;
  f.check = check::Check::Api;
  const auto hidden = std::find_if(failures.begin(), failures.end(), [](const Failure& failure) {
    return failure.pending.load() != cudaSuccess && failure.visible.load() == cudaSuccess;
  });
  if (hidden != failures.end()) {
    f.id = "api-kernel-failed-unseen";
    f.title = "a kernel failed, and the program never asked";
    f.what = "the failure is " + in_words(hidden->pending.load()) +
             ", and no call waited for the kernel";
    f.cure = "look at what cudaDeviceSynchronize() returns behind the launch";
  } else if (unseen.error) {
    f.id = "api-error-unseen";
    f.remark = true;
    f.title = "a call failed, and the program ended as if all were well";
    f.what =
        std::string(unseen.call ? unseen.call : "a call") + " returned " + in_words(unseen.error);
    f.cure = "look at what each call returns, and at cudaGetLastError() behind each launch";
  } else {
    return;
  }
  findings.add(std::move(f));
}

}  // namespace

cudaError_t finish(cudaError_t error) {
  if (error == cudaSuccess) return error;
  last_error = error;
  if (wanted_checks().api && error != cudaErrorNotReady && !unseen.error) {
    unseen = {current_call(), error};
    look_at_end(&tell_unseen);
  }
  return error;
}

void see_errors_of(int device) { seen_device = device; }

void raise_sticky(cudaError_t error, int device) {
  if (wanted_checks().api) look_at_end(&tell_unseen);
  // The first failure is the one that is told.
  cudaError_t none = cudaSuccess;
  of(device).pending.compare_exchange_strong(none, error);
}

void raise_refused(cudaError_t error) { refused.store(error); }

cudaError_t check_waited() {
  if (cudaError_t error = check_device()) return error;
  return refused.exchange(cudaSuccess);
}

cudaError_t check_device() {
  Failure& mine = of(seen_device);
  cudaError_t error = mine.pending.load();
  if (error != cudaSuccess) mine.visible.store(error);
  return error;
}

cudaError_t check_sticky() { return of(seen_device).visible.load(); }

bool device_failed(int device) { return of(device).pending.load() != cudaSuccess; }

bool any_device_failed() {
  return std::any_of(failures.begin(), failures.end(),
                     [](const Failure& f) { return f.pending.load() != cudaSuccess; });
}

void reset_errors(int device) {
  of(device).pending.store(cudaSuccess);
  of(device).visible.store(cudaSuccess);
  refused.store(cudaSuccess);
  last_error = cudaSuccess;
}

}  // namespace emu::cudart

using namespace emu::cudart;

EMU_API cudaError_t cudaGetLastError() {
  // A sticky error is cleared here too: it comes back with the next call that needs the device.
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  if (error != cudaSuccess) unseen = {};
  if (error == refused.load()) refused.store(cudaSuccess);
  return error;
}

EMU_API cudaError_t cudaPeekAtLastError() {
  if (last_error != cudaSuccess) unseen = {};
  return last_error;
}

EMU_API const char* cudaGetErrorName(cudaError_t error) {
  const auto* text = find_text(error);
  return text ? text->name : "unrecognized error code";
}

EMU_API const char* cudaGetErrorString(cudaError_t error) {
  const auto* text = find_text(error);
  return text ? text->text : "unrecognized error code";
}
