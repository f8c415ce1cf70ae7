// Tree sums whose last warp needs no block barrier: with __syncwarp between the steps, then fully
// unrolled by a template.
#include "sums.cuh"

__device__ void last_warp_sum(int* s) {
  const int t = threadIdx.x;
  int mine = s[t];
  for (int step = 32; step > 0; step /= 2) {
    mine += s[t + step];
    __syncwarp();
    s[t] = mine;
    __syncwarp();
  }
}

__global__ void last_warp(const int* in, int n, int* sum) {
  __shared__ int s[256 + 32];  // the last steps read up to 32 past the part that still matters
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  if (threadIdx.x < 32) s[256 + threadIdx.x] = 0;
  __syncthreads();
  for (int step = 128; step > 32; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x < 32) last_warp_sum(s);
  if (threadIdx.x == 0) atomicAdd(sum, s[0]);
}

template <int Block>
__global__ void unrolled(const int* in, int n, int* sum) {
  __shared__ int s[Block + 32];
  int mine = 0;
  for (int i = blockIdx.x * Block + threadIdx.x; i < n; i += gridDim.x * Block) mine += in[i];
  s[threadIdx.x] = mine;
  if (threadIdx.x < 32) s[Block + threadIdx.x] = 0;
  __syncthreads();
  if constexpr (Block >= 512) {
    if (threadIdx.x < 256) s[threadIdx.x] += s[threadIdx.x + 256];
    __syncthreads();
  }
  if constexpr (Block >= 256) {
    if (threadIdx.x < 128) s[threadIdx.x] += s[threadIdx.x + 128];
    __syncthreads();
  }
  if constexpr (Block >= 128) {
    if (threadIdx.x < 64) s[threadIdx.x] += s[threadIdx.x + 64];
    __syncthreads();
  }
  if (threadIdx.x < 32) last_warp_sum(s);
  if (threadIdx.x == 0) atomicAdd(sum, s[0]);
}

int main() {
  sum_all_sizes("last_warp", [](const int* in, int n, int* sum) {
    last_warp<<<blocks_for(n, 256), 256>>>(in, n, sum);
  });
  sum_all_sizes("unrolled<64>",
                [](const int* in, int n, int* sum) { unrolled<64><<<2, 64>>>(in, n, sum); });
  sum_all_sizes("unrolled<128>",
                [](const int* in, int n, int* sum) { unrolled<128><<<2, 128>>>(in, n, sum); });
  sum_all_sizes("unrolled<512>",
                [](const int* in, int n, int* sum) { unrolled<512><<<2, 512>>>(in, n, sum); });
  return finish();
}
