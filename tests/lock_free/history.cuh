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

// A subject can be called: subject.call(operation) reads what is asked and fills in the answer.
// Subject::kWidth neighbouring lanes call it together, as one thread of the history.
//
// The first `threads` groups of kWidth lanes of each warp take part, and each makes `calls` calls, one
// after another; slots[i * calls + k] is call k of thread i.
template <class Subject>
__global__ void record(Subject subject, Clock clock, std::uint32_t threads, std::uint32_t calls,
                       Operation* slots) {
  const std::uint32_t lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
  const std::uint32_t rank = lane % Subject::kWidth;
  if (lane / Subject::kWidth >= threads) return;
  Operation* const mine =
      slots + ((blockIdx.x * warps + threadIdx.x / 32) * threads + lane / Subject::kWidth) * calls;
  // Of one group: no lane is early and none is late. It orders nothing between two groups.
  const auto together = [&] {
    if (Subject::kWidth == 1) return;
    __syncwarp((Subject::kWidth == 32 ? ~0u : (1u << Subject::kWidth % 32) - 1)
               << (lane - rank));
  };
  for (std::uint32_t k = 0; k < calls; ++k) {
    Operation operation = mine[k];
    if (operation.kind == Kind::None) return;
    if (rank == 0) operation.begin = clock.tick();
    together();
    subject.call(operation);
    together();
    if (rank != 0) continue;
    operation.end = clock.tick();
    mine[k] = operation;
  }
}

// One block empties the subject if asked to; then one thread (of kWidth lanes) makes all the calls.
template <class Subject>
__global__ void record_alone(Subject subject, bool reset, Operation* slots, std::uint32_t count) {
  if (reset) subject.reset(threadIdx.x, blockDim.x);
  __syncthreads();
  if (threadIdx.x >= Subject::kWidth) return;
  for (std::uint32_t k = 0; k < count; ++k) {
    Operation operation = slots[k];
    operation.begin = operation.end = k;
    subject.call(operation);
    if (threadIdx.x == 0) slots[k] = operation;
  }
}

}  // namespace lock_free
