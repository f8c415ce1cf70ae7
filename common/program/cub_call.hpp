// SPDX-License-Identifier: MIT
// A call of CUB, NVIDIA's own library. CUB's headers take longer to compile than a whole lesson, so each
// of its operations is compiled in one place for all lessons, and a lesson sees a function:
//
//   common/sums/cub_sum.hpp          declares it:  CubCall cub_sum(const T* in, std::size_t n, T* out);
//   common/library/sums/cub_sum.cu   defines it, for the types that lessons use:
//
//     template <class T>
//     CubCall cub_sum(const T* in, std::size_t n, T* out) {
//       return cub_call([=](void* scratch, std::size_t& bytes) {
//         return cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
//       });
//     }
//     template CubCall cub_sum(const float*, std::size_t, float*);
#pragma once

#include <cstddef>

#include "common/check.cuh"
#include "common/device_buffer.cuh"

namespace course {

// Ready to run, again and again: the memory that the operation needs is there already. Launches and
// does not wait.
class CubCall {
 public:
  struct Operation {
    virtual ~Operation() = default;
    virtual void run() = 0;
  };
  explicit CubCall(Operation* operation) : operation_(operation) {}  // takes it over
  ~CubCall() { delete operation_; }
  CubCall(const CubCall&) = delete;
  CubCall& operator=(const CubCall&) = delete;

  void operator()() { operation_->run(); }

 private:
  Operation* operation_;
};

// CUB is called twice: without memory an operation only says how many bytes it needs. `call(scratch,
// bytes)` returns cudaError_t.
template <class Call>
CubCall cub_call(Call call) {
  struct Prepared final : CubCall::Operation {
    explicit Prepared(const Call& c) : call(c), scratch(bytes_needed()) {}
    std::size_t bytes_needed() {
      std::size_t bytes = 0;
      COURSE_CHECK(call(nullptr, bytes));
      return bytes;
    }
    void run() override {
      std::size_t bytes = scratch.size();
      COURSE_CHECK(call(scratch.data(), bytes));
    }
    Call call;
    DeviceBuffer<unsigned char> scratch;
  };
  return CubCall(new Prepared(call));
}

}  // namespace course
