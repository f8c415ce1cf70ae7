// SPDX-License-Identifier: MIT
// The memory that the micro-kernels work on. It begins as zeros.
#pragma once

#include "recorder.cuh"

namespace model {

struct Work {
  explicit Work(const course::Device& d)
      : device(d), big(208u << 20), other(64u << 20), small(1 << 20) {
    COURSE_CHECK(cudaMemset(big.data(), 0, big.bytes()));
    COURSE_CHECK(cudaMemset(other.data(), 0, other.bytes()));
    COURSE_CHECK(cudaMemset(small.data(), 0, small.bytes()));
  }
  template <class T>
  T* in() {
    return reinterpret_cast<T*>(big.data());
  }
  unsigned* out() { return small.data(); }

  const course::Device& device;
  DeviceBuffer<unsigned char> big, other;
  DeviceBuffer<unsigned> small;
};

}  // namespace model
