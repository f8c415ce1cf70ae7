// SPDX-License-Identifier: MIT
// Copies and fills as operations: checked when they are made and again whenever they run.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "cudart/streams/operation.hpp"

namespace emu::cudart {

// Every copy is a box of bytes: cudaMemcpy is one row. `api` names the call in messages.
struct Copy {
  cudaMemcpy3DParms params{};
  std::string api;
  int device = 0;
};
Copy flat_copy(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind, const char* api);
// Between memory and a __device__ or __constant__ variable, named by its host shadow.
cudaError_t symbol_copy(const void* symbol, void* memory, std::size_t count, std::size_t offset,
                        cudaMemcpyKind kind, bool to_symbol, const char* api, Copy& out);
// Null, wrong direction, outside an allocation: the error, and one line that says why.
cudaError_t check(const Copy& copy);
Operation copy_operation(Copy copy);  // its detail is the cudaMemcpy3DParms

// `depth` layers of params.height rows, which begin `rows_per_layer` rows apart.
struct Fill {
  cudaMemsetParams params{};
  std::size_t depth = 1, rows_per_layer = 0;
  std::string api;
  int device = 0;
};
cudaError_t check(const Fill& fill);
Operation fill_operation(Fill fill);  // its detail is the cudaMemsetParams

}  // namespace emu::cudart
