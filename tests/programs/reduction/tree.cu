// Tree sums in shared memory: interleaved with modulo, strided, sequential, first add on load, grid
// stride.
#include "sums.cuh"

constexpr int kBlock = 256;

__global__ void interleaved(const int* in, int n, int* sum) {
  __shared__ int s[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    if (threadIdx.x % (2 * step) == 0) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, s[0]);
}

__global__ void strided(const int* in, int n, int* sum) {
  __shared__ int s[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    const int at = 2 * step * threadIdx.x;
    if (at < kBlock) s[at] += s[at + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, s[0]);
}

__device__ void sequential_tree(int* s, int* sum) {
  __syncthreads();
  for (int step = kBlock / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, s[0]);
}

__global__ void sequential(const int* in, int n, int* sum) {
  __shared__ int s[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  sequential_tree(s, sum);
}

__global__ void first_add_on_load(const int* in, int n, int* sum) {
  __shared__ int s[kBlock];
  const int i = blockIdx.x * 2 * kBlock + threadIdx.x;
  s[threadIdx.x] = (i < n ? in[i] : 0) + (i + kBlock < n ? in[i + kBlock] : 0);
  sequential_tree(s, sum);
}

__global__ void grid_stride(const int* in, int n, int* sum) {
  __shared__ int s[kBlock];
  int mine = 0;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) mine += in[i];
  s[threadIdx.x] = mine;
  sequential_tree(s, sum);
}

int main() {
  sum_all_sizes("interleaved", [](const int* in, int n, int* sum) {
    interleaved<<<blocks_for(n, kBlock), kBlock>>>(in, n, sum);
  });
  sum_all_sizes("strided", [](const int* in, int n, int* sum) {
    strided<<<blocks_for(n, kBlock), kBlock>>>(in, n, sum);
  });
  sum_all_sizes("sequential", [](const int* in, int n, int* sum) {
    sequential<<<blocks_for(n, kBlock), kBlock>>>(in, n, sum);
  });
  sum_all_sizes("first_add_on_load", [](const int* in, int n, int* sum) {
    first_add_on_load<<<blocks_for(n, 2 * kBlock), kBlock>>>(in, n, sum);
  });
  sum_all_sizes("grid_stride",
                [](const int* in, int n, int* sum) { grid_stride<<<3, kBlock>>>(in, n, sum); });
  return finish();
}
