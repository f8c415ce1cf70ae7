// Sums by warp shuffles: down, xor (every lane gets the sum), and a whole block through one word
// per warp.
#include "sums.cuh"

constexpr unsigned kAll = 0xffffffffu;

__device__ int warp_sum_down(int v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(kAll, v, step);
  return v;  // right in lane 0 only
}

__device__ int warp_sum_xor(int v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(kAll, v, step);
  return v;
}

__global__ void shuffle_down(const int* in, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int total = warp_sum_down(i < n ? in[i] : 0);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, total);
}

__global__ void shuffle_xor(const int* in, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int total = warp_sum_xor(i < n ? in[i] : 0);
  if (threadIdx.x % 32 == 17) atomicAdd(sum, total);  // any lane will do
}

__global__ void shuffle_block(const int* in, int n, int* sum) {
  __shared__ int warp_sums[32];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i];
  mine = warp_sum_down(mine);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = warp_sum_down(threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

int main() {
  sum_all_sizes("shuffle_down", [](const int* in, int n, int* sum) {
    shuffle_down<<<blocks_for(n, 64), 64>>>(in, n, sum);
  });
  sum_all_sizes("shuffle_xor", [](const int* in, int n, int* sum) {
    shuffle_xor<<<blocks_for(n, 128), 128>>>(in, n, sum);
  });
  sum_all_sizes("shuffle_block",
                [](const int* in, int n, int* sum) { shuffle_block<<<2, 1024>>>(in, n, sum); });
  return finish();
}
