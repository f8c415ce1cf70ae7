// A cuda::barrier that half of its threads never reach: found although its wait reads a clock.
// gpu: skip hangs
// env: WARPLADDER_INSTRUCTION_LIMIT=10000000
// expect-stderr: livelock in wait_for_all
// expect-stderr: lanes 0-31
// expect-stderr: warp 1: lanes 0-31 have exited
#include <cuda/barrier>

#include "../check.cuh"

__global__ void wait_for_all() {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x < 32) barrier.arrive_and_wait();
}

int main() {
  wait_for_all<<<1, 64>>>();
  std::printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
