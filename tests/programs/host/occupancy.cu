// Occupancy queries and launch bounds where shared memory or the block size, not registers, is the
// limit.
#include "../check.cuh"

__global__ void light(int* out) { *out = 1; }
__global__ void __launch_bounds__(128, 4) bounded(int* out) { *out = 2; }
__global__ void with_shared(int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = s[blockDim.x - 1];
}

int main() {
  for (int block : {1024, 512, 256}) {
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, light, block, 0));
    report("light", block, blocks, 2048 / block);
  }
  CHECK(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
  for (int kib : {100, 60, 24}) {
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 64, kib * 1024));
    report("with_shared", kib, blocks,
           228 / (kib + 1));  // each block also holds 1 KiB of the system's
  }
  int grid = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, light, 0, 0));
  std::printf("suggested block %d, whole waves %d\n", block, grid > 0);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0));
  std::printf("with launch bounds %d\n", block);
  cudaFuncAttributes attributes = {};
  CHECK(cudaFuncGetAttributes(&attributes, bounded));
  report("limit", 128, attributes.maxThreadsPerBlock, 128);
  int* out = upload(std::vector<int>{0});
  bounded<<<1, 129>>>(out);
  show("past the bound", cudaGetLastError());
  with_shared<<<2, 96, 1024>>>(out);
  CHECK_KERNEL();
  report("ran", 96, download(out, 1)[0], 95);
  return finish();
}
