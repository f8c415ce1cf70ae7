// SPDX-License-Identifier: MIT
// How much shared memory a block may have, and asking for it.
#pragma once

#include <cstddef>

#include "common/check.cuh"

namespace lesson07 {

// 227 KB on an H200. What is declared in the kernel ends at 48; more must be asked for.
inline std::size_t most_shared_bytes() {
  int device = 0, bytes = 0;
  COURSE_CHECK(cudaGetDevice(&device));
  COURSE_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::size_t>(bytes);
}
template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
  COURSE_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)));
}

}  // namespace lesson07
