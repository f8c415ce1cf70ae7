// SPDX-License-Identifier: MIT
// One launch of a kernel: checked and given its arguments when it is made, run when its stream or
// graph comes to it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "cudart/loading/module.hpp"
#include "cudart/streams/operation.hpp"

namespace emu::cudart {

struct KernelLaunch {
  const void* handle = nullptr;
  dim3 grid, block;
  dim3 cluster{1, 1, 1};
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
  // Set by prepare():
  int device = 0;                 // the current one
  KernelOnDevice kernel;          // found once, for the checks and for the engine
  std::vector<std::byte> params;  // copied at submission
};

// Copies the arguments (void* per parameter) and makes the launch checks of the real runtime.
cudaError_t prepare(KernelLaunch& launch, void** args);
// Runs it now.
cudaError_t run(const KernelLaunch& launch);

// A prepared launch as work on a stream, with run() behind it.
Operation kernel_operation(KernelLaunch launch);
// What kernel_operation() was made from; nullptr for other work.
std::shared_ptr<KernelLaunch> launch_of(const Operation& operation);

}  // namespace emu::cudart
