// SPDX-License-Identifier: MIT
// The error state: what each thread saw last, and the failure of a kernel.
//
// Work is done when it is submitted: that is a legal order of any program whose streams are ordered
// by events, and it is deterministic. A kernel's failure is kept apart (`pending`) and shows at the
// next call that would wait for the device, as on a GPU.
#pragma once

#include <cuda_runtime_api.h>

namespace emu::cudart {

// Every API function ends in `return finish(error)`: remembers what is not success as the thread's
// last error.
cudaError_t finish(cudaError_t error);
// Whose errors the calls of this thread see from now on: those of its current device.
void see_errors_of(int device);
// A failure inside a kernel. Sticky: from the next synchronising call on every call that has this device as its
// current one returns it until cudaDeviceReset. Other devices go on.
void raise_sticky(cudaError_t error, int device = 0);
// A launch was refused because the emulator does not know something in it. The launch returns the
// error, but few programs look at that: the next synchronising call returns it as well, unless the
// program has fetched it with cudaGetLastError by then.
void raise_refused(cudaError_t error);
// At the end of a synchronising call: a failure that other threads' work has brought, or a refused
// launch.
cudaError_t check_waited();
// At the start of a call that waits for the device (copies, synchronise, queries, free...): makes a
// pending failure visible and returns it.
cudaError_t check_device();
// At the start of any other call: cudaSuccess, or the sticky error once it has become visible.
cudaError_t check_sticky();
// A kernel has failed and cudaDeviceReset has not been called: work behind it is not done any more.
bool device_failed(int device);
bool any_device_failed();
// For cudaDeviceReset: forget pending and sticky errors.
void reset_errors(int device = 0);

}  // namespace emu::cudart
