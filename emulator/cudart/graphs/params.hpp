// SPDX-License-Identifier: MIT
// From the parameters of the API, checked, to what a node does.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "cudart/graphs/graph.hpp"
#include "cudart/streams/operation.hpp"

namespace emu::cudart {

cudaError_t kernel_from(const cudaKernelNodeParams& params, Operation& out);
cudaError_t copy_from(const cudaMemcpy3DParms& params, Operation& out);
cudaError_t fill_from(const cudaMemsetParams& params, Operation& out);
cudaError_t host_from(const cudaHostNodeParams& params, Operation& out);
cudaError_t record_from(cudaEvent_t event, Operation& out);
cudaError_t wait_from(cudaEvent_t event, Operation& out);
cudaError_t copy_to_symbol_from(const void* symbol, const void* src, std::size_t count,
                                std::size_t offset, cudaMemcpyKind kind, Operation& out);
cudaError_t copy_from_symbol_from(void* dst, const void* symbol, std::size_t count,
                                  std::size_t offset, cudaMemcpyKind kind, Operation& out);
// The same from the union of cudaGraphAddNode; `child` for a child graph.
cudaError_t operation_from(cudaGraphNodeParams& params, Operation& out,
                           std::shared_ptr<Graph>& child);
// Replaces what a node does; the type must stay (cudaErrorInvalidValue).
cudaError_t replace_operation(Node* node, cudaGraphNodeType type, Operation operation);

}  // namespace emu::cudart
