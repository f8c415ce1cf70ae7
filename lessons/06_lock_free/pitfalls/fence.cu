// SPDX-License-Identifier: MIT
// A fence for all the system where the block would do, and the one that is needed. Of lesson 06: `fence NAME` runs a kernel.
#include <cstring>

constexpr int kThreads = 256, kBlocks = 64;

// Each thread passes a value to its neighbour in the block, by way of global memory.
__global__ void too_strong(int* values, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = i;
  __threadfence_system();  // waits until the whole machine could see it
  __syncthreads();
  out[i] = values[i ^ 1];
}

__global__ void too_strong_cured(int* values, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = i;
  __syncthreads();  // orders memory among the threads of the block by itself
  out[i] = values[i ^ 1];
}

int main(int argc, char** argv) {
  const bool cured = argc > 1 && std::strcmp(argv[1], "too_strong_cured") == 0;
  int *values = nullptr, *out = nullptr;
  cudaMalloc(&values, kBlocks * kThreads * sizeof(int));
  cudaMalloc(&out, kBlocks * kThreads * sizeof(int));
  (cured ? too_strong_cured : too_strong)<<<kBlocks, kThreads>>>(values, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(out);
  return error == cudaSuccess ? 0 : 1;
}
