// SPDX-License-Identifier: MIT
// One kernel or call for each finding that docs/checking.md explains: its messages there are those of this program.
#include <cuda_pipeline.h>

__global__ void missing_barrier(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void missing_syncwarp(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void plain_counter(int* count) { *count = *count + 1; }

__global__ void mixed_with_atomic(int* count, int* out) {
  atomicAdd(count, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = *count;
}

__global__ void narrow_scope(int* count) { atomicAdd_block(count, 1); }

__global__ void copy_not_waited(const int* in, int* out) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void everybody_raises(int* flag) { *flag = 1; }

__global__ void unwritten_shared(int* out, int n) {
  __shared__ int s[64];
  if (threadIdx.x < n) s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x] + 1;
}

__global__ void unwritten_global(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
}

int main() {
  int *zeros, *fresh, *out;
  cudaMalloc(&zeros, 64 * sizeof(int));
  cudaMalloc(&fresh, 64 * sizeof(int));
  cudaMalloc(&out, 1024 * sizeof(int));
  cudaMemset(zeros, 0, 64 * sizeof(int));
  missing_barrier<<<1, 64>>>(out);
  missing_syncwarp<<<1, 32>>>(out);
  plain_counter<<<2, 64>>>(zeros);
  mixed_with_atomic<<<2, 64>>>(zeros, out);
  narrow_scope<<<2, 64>>>(zeros);
  copy_not_waited<<<1, 64>>>(zeros, out);
  everybody_raises<<<2, 64>>>(zeros);
  unwritten_shared<<<1, 64>>>(out, 60);
  unwritten_global<<<1, 64>>>(fresh, out);
  cudaMemset(zeros, 0, 1 << 20);  // more than there is
  cudaFree(zeros);
  cudaFree(out);
}
