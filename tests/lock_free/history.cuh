// SPDX-License-Identifier: MIT
// Records what the threads of a kernel do to a structure: each call with its answer, and the time of
// the one clock before and after it. The clock is a relaxed counter: it gives times that differ and
// orders nothing, so that a missing order in the structure stays missing.
#pragma once

#include <cuda/atomic>

#include "lock_free/operation.hpp"

namespace lock_free {

struct Clock {
  std::uint32_t* now;

  __device__ std::uint32_t tick() const {
    return cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>(*now).fetch_add(
        1, cuda::memory_order_relaxed);
  }
};

// The threads of a kernel: the first `lanes` lanes of each warp take part. One operation after
// another; slots[i * calls + k] is call k of thread i.
struct Threads {
  std::uint32_t lanes, calls;

  // Which participant this thread is; ~0: none.
  __device__ std::uint32_t index() const {
    const std::uint32_t lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
    if (lane >= lanes) return ~0u;
    return (blockIdx.x * warps + threadIdx.x / 32) * lanes + lane;
  }
};

// A subject can be called: subject.call(operation) reads what is asked and fills in the answer.
template <class Subject>
__global__ void record(Subject subject, Clock clock, Threads threads, Operation* slots) {
  const std::uint32_t index = threads.index();
  if (index == ~0u) return;
  for (std::uint32_t k = 0; k < threads.calls; ++k) {
    Operation operation = slots[index * threads.calls + k];
    if (operation.kind == Kind::None) return;
    operation.begin = clock.tick();
    subject.call(operation);
    operation.end = clock.tick();
    slots[index * threads.calls + k] = operation;
  }
}

// One block empties the subject if asked to; then one thread makes all the calls.
template <class Subject>
__global__ void record_alone(Subject subject, bool reset, Operation* slots, std::uint32_t count) {
  if (reset) subject.reset(threadIdx.x, blockDim.x);
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (std::uint32_t k = 0; k < count; ++k) {
    Operation operation = slots[k];
    operation.begin = operation.end = k;
    subject.call(operation);
    slots[k] = operation;
  }
}

}  // namespace lock_free
