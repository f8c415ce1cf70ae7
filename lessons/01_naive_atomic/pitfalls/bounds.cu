// SPDX-License-Identifier: MIT
// A test of the index that is not there, and the same kernel with it. Of lesson 01: `bounds NAME` runs a kernel.
#include <cstring>

constexpr int kN = 1000;

__global__ void no_test(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 2 * x[i];  // n is 1000, and there are 1024 threads
}

__global__ void no_test_cured(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2 * x[i];
}

int main(int argc, char** argv) {
  const bool cured = argc > 1 && std::strcmp(argv[1], "no_test_cured") == 0;
  float* x = nullptr;
  cudaMalloc(&x, kN * sizeof(float));
  cudaMemset(x, 0, kN * sizeof(float));
  (cured ? no_test_cured : no_test)<<<(kN + 255) / 256, 256>>>(x, kN);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(x);
  return error == cudaSuccess ? 0 : 1;
}
