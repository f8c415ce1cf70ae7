// Sums by atomics: every thread into one global counter; one counter in shared memory per block.
#include "sums.cuh"

__global__ void global_atomic(const int* in, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

__global__ void shared_atomic(const int* in, int n, int* sum) {
  __shared__ int block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&block_sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, block_sum);
}

int main() {
  sum_all_sizes("global_atomic", [](const int* in, int n, int* sum) {
    global_atomic<<<blocks_for(n, 128), 128>>>(in, n, sum);
  });
  sum_all_sizes("shared_atomic", [](const int* in, int n, int* sum) {
    shared_atomic<<<blocks_for(n, 96), 96>>>(in, n, sum);
  });
  return finish();
}
