// SPDX-License-Identifier: MIT
// Records what the threads of a kernel do to a structure: each call with its answer, and the time of
// the one clock before and after it. The clock is a relaxed counter: it gives times that differ and
// orders nothing, so that a missing order in the structure stays missing.
//
// What the threads shall do comes in as a parameter of the kernel, and a call is recorded with one
// store: every access to memory is one more step that a schedule could spend elsewhere.
#pragma once

#include <cuda/atomic>
#include <stdexcept>

#include "lock_free/operation.hpp"

namespace lock_free {

struct Clock {
  std::uint32_t* now;

  __device__ std::uint32_t tick() const {
    return cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>(*now).fetch_add(
        1, cuda::memory_order_relaxed);
  }
};

// The calls of all threads: script.calls[i * per_thread + k] is call k of thread i.
struct Script {
  static constexpr std::uint32_t kMost = 32;
  std::uint32_t per_thread = 0;
  std::uint32_t calls[kMost] = {};  // kind, key, value

  void set(std::uint32_t index, const Operation& operation) {
    if (index >= kMost || operation.key > 0xff || operation.value > 0xffff)
      throw std::logic_error("a plan of too many calls");
    calls[index] =
        static_cast<std::uint32_t>(operation.kind) << 24 | operation.key << 16 | operation.value;
  }
  __device__ Operation get(std::uint32_t index) const {
    Operation operation;
    operation.kind = static_cast<Kind>(calls[index] >> 24);
    operation.key = calls[index] >> 16 & 0xff;
    operation.value = calls[index] & 0xffff;
    return operation;
  }
};

// What came of a call.
struct alignas(16) Answer {
  std::uint32_t begin, end, ok, result;
};

// A subject can be called: subject.call(operation) reads what is asked and fills in the answer.
// Subject::kWidth neighbouring lanes call it together, as one thread of the history. The first
// `threads` groups of kWidth lanes of each warp take part.
template <class Subject>
__global__ void record(Subject subject, Clock clock, std::uint32_t threads,
                       const __grid_constant__ Script script, Answer* answers) {
  const std::uint32_t lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
  const std::uint32_t rank = lane % Subject::kWidth, place = lane / Subject::kWidth;
  if (place >= threads) return;
  const std::uint32_t thread = (blockIdx.x * warps + threadIdx.x / 32) * threads + place;
  // Of one group: no lane is early and none is late. It orders nothing between two groups.
  const auto together = [&] {
    if (Subject::kWidth > 1) __syncwarp(((1u << Subject::kWidth) - 1) << (lane - rank));
  };
  for (std::uint32_t k = 0; k < script.per_thread; ++k) {
    const std::uint32_t index = thread * script.per_thread + k;
    Operation operation = script.get(index);
    if (operation.kind == Kind::None) return;
    if (rank == 0) operation.begin = clock.tick();
    together();
    subject.call(operation);
    together();
    if (rank != 0) continue;
    operation.end = clock.tick();
    answers[index] = {operation.begin, operation.end, operation.ok, operation.result};
  }
}

// One block empties the subject if asked to; then one thread (of kWidth lanes) makes all the calls.
template <class Subject>
__global__ void record_alone(Subject subject, bool reset, const __grid_constant__ Script script,
                             Answer* answers) {
  if (reset) subject.reset(threadIdx.x, blockDim.x);
  __syncthreads();
  if (threadIdx.x >= Subject::kWidth) return;
  for (std::uint32_t k = 0; k < script.per_thread; ++k) {
    Operation operation = script.get(k);
    subject.call(operation);
    if (threadIdx.x == 0) answers[k] = {k, k, operation.ok, operation.result};
  }
}

}  // namespace lock_free
