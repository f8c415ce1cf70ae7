// SPDX-License-Identifier: MIT
// Memory for the structures of this lesson. A structure is a small value that kernels take by copy:
// it knows where its memory is and does not own it. Owned<S> allocates that memory and makes the
// structure empty.
//
// Every structure S of this lesson has
//   static std::size_t bytes(std::uint32_t capacity);         how much memory it needs
//   S(void* memory, std::uint32_t capacity);                  lies there; aligned to 128 bytes
//   __device__ void reset(std::uint32_t i, std::uint32_t n);  thread i of n: make it empty
// and a container (a stack, a queue) has two operations that any thread may call at any time:
//   __device__ bool push(std::uint32_t value);                false: full, nothing was kept
//   __device__ bool pop(std::uint32_t& value);                false: empty, value is untouched
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/check.cuh"
#include "common/device_buffer.cuh"

namespace lesson06 {

template <class S>
__global__ void reset_kernel(S structure) {
  structure.reset(blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

template <class S>
class Owned {
 public:
  explicit Owned(std::uint32_t capacity)
      : memory_(S::bytes(capacity)), structure_(memory_.data(), capacity) {
    reset();
  }
  void reset() {
    reset_kernel<<<32, 256>>>(structure_);
    COURSE_CHECK(cudaGetLastError());
  }
  const S& get() const { return structure_; }

 private:
  course::DeviceBuffer<std::byte> memory_;
  S structure_;
};

}  // namespace lesson06
