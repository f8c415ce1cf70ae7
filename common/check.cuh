// SPDX-License-Identifier: MIT
// Every CUDA call can fail, and most failures show only at a later call. COURSE_CHECK looks at
// once:
//
//   COURSE_CHECK(cudaMalloc(&p, bytes));
//   kernel<<<blocks, threads>>>(...);
//   COURSE_CHECK(cudaGetLastError());   // was the launch accepted?
//
// A failure throws CudaError with file, line, the call's text, and the error's name and meaning.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace course {

struct CudaError : std::runtime_error {
  CudaError(cudaError_t error, const char* call, const char* file, int line)
      : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call +
                           " failed: " + cudaGetErrorName(error) + " (" +
                           cudaGetErrorString(error) + ")"),
        code(error) {}
  cudaError_t code;
};

inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error != cudaSuccess) throw CudaError(error, call, file, line);
}

}  // namespace course

#define COURSE_CHECK(call) ::course::check((call), #call, __FILE__, __LINE__)
