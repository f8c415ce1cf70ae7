// SPDX-License-Identifier: MIT
// The mask of a match, wrong and right. Of lesson 07: `match NAME` runs a kernel.
#include <cstring>

constexpr int kN = 20;  // of a warp, the last lanes have no element

__global__ void match_mask(const int* keys, int* counts) {
  const int i = threadIdx.x;
  if (i < kN) {
    const unsigned same = __match_any_sync(0xffffffff, keys[i]);  // wrong: 20 lanes come
    if (i == __ffs(same) - 1) atomicAdd(&counts[keys[i]], __popc(same));
  }
  __syncthreads();
}

__global__ void match_mask_cured(const int* keys, int* counts) {
  const int i = threadIdx.x;
  const unsigned here = __ballot_sync(0xffffffff, i < kN);  // before the branch, where all are
  if (i < kN) {
    const unsigned same = __match_any_sync(here, keys[i]);
    if (i == __ffs(same) - 1) atomicAdd(&counts[keys[i]], __popc(same));
  }
  __syncthreads();
}

int main(int argc, char** argv) {
  const bool cured = argc > 1 && std::strcmp(argv[1], "match_mask_cured") == 0;
  int *keys = nullptr, *counts = nullptr;
  cudaMalloc(&keys, kN * sizeof(int));
  cudaMalloc(&counts, sizeof(int));
  cudaMemset(keys, 0, kN * sizeof(int));
  cudaMemset(counts, 0, sizeof(int));
  (cured ? match_mask_cured : match_mask)<<<1, 32>>>(keys, counts);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(keys);
  cudaFree(counts);
  return error == cudaSuccess ? 0 : 1;
}
